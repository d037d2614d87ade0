package dev.torg.alerts.explain;

import dev.torg.api.v1.ExplainRequest;
import dev.torg.api.v1.Explanation;
import dev.torg.api.v1.WhyServiceGrpc.WhyServiceImplBase;
import dev.torg.favorites.AlertRules;
import dev.torg.offers.Offers;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.rpc.CurrentCaller;
import io.grpc.stub.StreamObserver;

/// Explanations over gRPC. Blocks on the database and must run on threads that may block.
public final class WhyRpc extends WhyServiceImplBase {
  private final WhyService service;

  public WhyRpc(Database database, Offers offers, AlertRules rules) {
    this.service = new WhyService(database, offers, rules);
  }

  @Override
  public void explain(ExplainRequest request, StreamObserver<Explanation> observer) {
    Explanation explanation;
    try {
      explanation =
          service.explain(CurrentCaller.required().subject(), OfferId.parse(request.getId()));
    } catch (RuntimeException e) {
      observer.onError(e);
      return;
    }
    observer.onNext(explanation);
    observer.onCompleted();
  }
}
