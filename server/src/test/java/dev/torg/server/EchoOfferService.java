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
final class EchoOfferService extends OfferServiceImplBase {
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
  public void getOffer(GetOfferRequest request, StreamObserver<Offer> response) {
    thread = Thread.currentThread();
    accountable = CurrentCaller.ACCOUNTABLE.get();
    RpcResponse.complete(response, next.apply(request.getId()), Function.identity());
  }

  @Override
  public void batchGetOffers(
      BatchGetOffersRequest request, StreamObserver<BatchGetOffersResponse> response) {
    BatchGetOffersResponse.Builder offers = BatchGetOffersResponse.newBuilder();
    request.getIdsList().forEach(id -> offers.addOffers(next.apply(id).join()));
    response.onNext(offers.build());
    response.onCompleted();
  }

  @Override
  public void publishOffer(PublishOfferRequest request, StreamObserver<Offer> response) {
    published = request;
    publishedBy = CurrentCaller.required().subject();
    idempotencyKey = CurrentCaller.idempotencyKey(request.getIdempotencyKey()).orElse("");
    response.onNext(request.getOffer().toBuilder().setSellerId(publishedBy).build());
    response.onCompleted();
  }

  @Override
  public void updateOffer(UpdateOfferRequest request, StreamObserver<Offer> response) {
    updated = request;
    RpcResponse.complete(response, next.apply(request.getId()), Function.identity());
  }

  @Override
  public void withdrawOffer(OfferActionRequest request, StreamObserver<Offer> response) {
    RpcResponse.complete(
        response,
        next.apply(request.getId()),
        offer -> offer.toBuilder().setStatus(Offer.Status.WITHDRAWN).build());
  }

  @Override
  public void markSold(MarkSoldRequest request, StreamObserver<Offer> response) {
    sold = request;
    RpcResponse.complete(response, next.apply(request.getId()), Function.identity());
  }

  @Override
  public void batchAct(BatchActRequest request, StreamObserver<BatchResults> response) {
    BatchResults.Builder results = BatchResults.newBuilder();
    request
        .getIdsList()
        .forEach(id -> results.addResults(BatchResult.newBuilder().setId(id).setCode("OK")));
    response.onNext(results.build());
    response.onCompleted();
  }

  @Override
  public void putStage(PutStageRequest request, StreamObserver<Stage> response) {
    response.onNext(
        Stage.newBuilder()
            .setStage(request.getStage())
            .setData(request.getData())
            .setVersion(request.getVersion() + 1)
            .build());
    response.onCompleted();
  }
}
