package dev.torg.server;

import dev.torg.api.v1.BatchActRequest;
import dev.torg.api.v1.BatchGetOffersRequest;
import dev.torg.api.v1.BatchGetOffersResponse;
import dev.torg.api.v1.BatchResult;
import dev.torg.api.v1.BatchResults;
import dev.torg.api.v1.GetOfferRequest;
import dev.torg.api.v1.MarkSoldRequest;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OfferActionRequest;
import dev.torg.api.v1.OfferServiceGrpc.OfferServiceImplBase;
import dev.torg.api.v1.PublishOfferRequest;
import dev.torg.api.v1.PutStageRequest;
import dev.torg.api.v1.Stage;
import dev.torg.api.v1.UpdateOfferRequest;
import dev.torg.platform.rpc.CurrentCaller;
import dev.torg.platform.rpc.RpcResponse;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;

/// Responds with its request, from another thread as the coalescer does. `next` replaces the next responses'
/// futures.
final class TestOffers extends OfferServiceImplBase {
  volatile Function<String, CompletableFuture<Offer>> next =
      id -> CompletableFuture.supplyAsync(() -> Offer.newBuilder().setId(id).setTitle("A").build());
  volatile PublishOfferRequest published;
  volatile String publishedBy;
  volatile String idempotencyKey;
  volatile MarkSoldRequest sold;
  volatile UpdateOfferRequest updated;
  volatile Thread thread;
  volatile String accountable;
  final CountDownLatch cancelled = new CountDownLatch(1);

  @Override
  public void getOffer(GetOfferRequest request, StreamObserver<Offer> answer) {
    thread = Thread.currentThread();
    accountable = CurrentCaller.ACCOUNTABLE.get();
    RpcResponse.complete(answer, next.apply(request.getId()), Function.identity());
  }

  @Override
  public void batchGetOffers(
      BatchGetOffersRequest request, StreamObserver<BatchGetOffersResponse> answer) {
    BatchGetOffersResponse.Builder found = BatchGetOffersResponse.newBuilder();
    request.getIdsList().forEach(id -> found.addOffers(next.apply(id).join()));
    answer.onNext(found.build());
    answer.onCompleted();
  }

  @Override
  public void publishOffer(PublishOfferRequest request, StreamObserver<Offer> answer) {
    published = request;
    publishedBy = CurrentCaller.required().subject();
    idempotencyKey = CurrentCaller.idempotencyKey(request.getIdempotencyKey()).orElse("");
    answer.onNext(request.getOffer().toBuilder().setSellerId(publishedBy).build());
    answer.onCompleted();
  }

  @Override
  public void updateOffer(UpdateOfferRequest request, StreamObserver<Offer> answer) {
    updated = request;
    RpcResponse.complete(answer, next.apply(request.getId()), Function.identity());
  }

  @Override
  public void withdrawOffer(OfferActionRequest request, StreamObserver<Offer> answer) {
    RpcResponse.complete(
        answer,
        next.apply(request.getId()),
        offer -> offer.toBuilder().setStatus(Offer.Status.WITHDRAWN).build());
  }

  @Override
  public void markSold(MarkSoldRequest request, StreamObserver<Offer> answer) {
    sold = request;
    RpcResponse.complete(answer, next.apply(request.getId()), Function.identity());
  }

  @Override
  public void batchAct(BatchActRequest request, StreamObserver<BatchResults> answer) {
    BatchResults.Builder results = BatchResults.newBuilder();
    request
        .getIdsList()
        .forEach(id -> results.addResults(BatchResult.newBuilder().setId(id).setCode("OK")));
    answer.onNext(results.build());
    answer.onCompleted();
  }

  @Override
  public void putStage(PutStageRequest request, StreamObserver<Stage> answer) {
    answer.onNext(
        Stage.newBuilder()
            .setStage(request.getStage())
            .setData(request.getData())
            .setVersion(request.getVersion() + 1)
            .build());
    answer.onCompleted();
  }
}
