package dev.torg.offers.offer;

import dev.torg.api.v1.BatchActRequest;
import dev.torg.api.v1.BatchGetOffersRequest;
import dev.torg.api.v1.BatchGetOffersResponse;
import dev.torg.api.v1.BatchResult;
import dev.torg.api.v1.BatchResults;
import dev.torg.api.v1.GetOfferRequest;
import dev.torg.api.v1.GetPriceHistoryRequest;
import dev.torg.api.v1.GetStageRequest;
import dev.torg.api.v1.MarkSoldRequest;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OfferActionRequest;
import dev.torg.api.v1.OfferServiceGrpc;
import dev.torg.api.v1.PriceHistory;
import dev.torg.api.v1.PublishOfferRequest;
import dev.torg.api.v1.PutStageRequest;
import dev.torg.api.v1.Stage;
import dev.torg.api.v1.UpdateOfferRequest;
import dev.torg.offers.lifecycle.OwnerAction.Action;
import dev.torg.offers.stage.StageService;
import dev.torg.platform.Caller;
import dev.torg.platform.Failure;
import dev.torg.platform.Futures;
import dev.torg.platform.Money;
import dev.torg.platform.OfferId;
import dev.torg.platform.rpc.CurrentCaller;
import dev.torg.platform.rpc.RpcResponse;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/// The gRPC adapter of offers.
public final class OfferRpc extends OfferServiceGrpc.OfferServiceImplBase {
  /// Maximum number of ids of a batch.
  private static final int MAX_BATCH = 500;

  private static final String OK = "OK";

  private final OfferService offers;
  private final StageService stages;

  public OfferRpc(OfferService offers, StageService stages) {
    this.offers = offers;
    this.stages = stages;
  }

  @Override
  public void publishOffer(PublishOfferRequest request, StreamObserver<Offer> response) {
    Caller caller = CurrentCaller.required();
    Optional<String> key = CurrentCaller.idempotencyKey(request.getIdempotencyKey());
    RpcResponse.complete(
        response, offers.publish(caller, request.getOffer(), key), Function.identity());
  }

  @Override
  public void getOffer(GetOfferRequest request, StreamObserver<Offer> response) {
    Optional<Caller> caller = CurrentCaller.get();
    RpcResponse.complete(
        response, offers.get(caller, OfferId.parse(request.getId())), Function.identity());
  }

  @Override
  public void batchGetOffers(
      BatchGetOffersRequest request, StreamObserver<BatchGetOffersResponse> response) {
    Map<String, Optional<OfferId>> ids = distinct(request.getIdsList());
    List<OfferId> wellFormed = ids.values().stream().flatMap(Optional::stream).toList();
    RpcResponse.complete(
        response,
        offers.get(CurrentCaller.get(), wellFormed),
        visible -> withMissing(ids, visible));
  }

  @Override
  public void updateOffer(UpdateOfferRequest request, StreamObserver<Offer> response) {
    Caller caller = CurrentCaller.required();
    OptionalLong version =
        request.hasVersion() ? OptionalLong.of(request.getVersion()) : OptionalLong.empty();
    OfferId id = OfferId.parse(request.getId());
    RpcResponse.complete(
        response, offers.update(caller, id, request.getOffer(), version), Function.identity());
  }

  @Override
  public void withdrawOffer(OfferActionRequest request, StreamObserver<Offer> response) {
    act(request, Action.WITHDRAW, response);
  }

  @Override
  public void reactivateOffer(OfferActionRequest request, StreamObserver<Offer> response) {
    act(request, Action.REACTIVATE, response);
  }

  @Override
  public void prolongOffer(OfferActionRequest request, StreamObserver<Offer> response) {
    act(request, Action.PROLONG, response);
  }

  @Override
  public void removeOffer(OfferActionRequest request, StreamObserver<Offer> response) {
    act(request, Action.REMOVE, response);
  }

  @Override
  public void markSold(MarkSoldRequest request, StreamObserver<Offer> response) {
    Caller caller = CurrentCaller.required();
    boolean soldHere = !request.hasSoldHere() || request.getSoldHere();
    OfferId id = OfferId.parse(request.getId());
    RpcResponse.complete(
        response, offers.markSold(caller, id, price(request), soldHere), Function.identity());
  }

  @Override
  public void batchAct(BatchActRequest request, StreamObserver<BatchResults> response) {
    Caller caller = CurrentCaller.required();
    Map<String, Optional<OfferId>> ids = distinct(request.getIdsList());
    Action action = action(request.getAction());
    List<CompletableFuture<BatchResult>> results = new ArrayList<>();
    ids.forEach((text, id) -> results.add(result(caller, text, id, action)));
    RpcResponse.complete(
        response,
        CompletableFuture.allOf(results.toArray(CompletableFuture[]::new)),
        _ -> joined(results));
  }

  @Override
  public void getPriceHistory(
      GetPriceHistoryRequest request, StreamObserver<PriceHistory> response) {
    RpcResponse.complete(
        response,
        offers.priceHistory(CurrentCaller.get(), OfferId.parse(request.getId())),
        points -> PriceHistory.newBuilder().addAllPoints(points).build());
  }

  @Override
  public void putStage(PutStageRequest request, StreamObserver<Stage> response) {
    OptionalLong version =
        request.hasVersion() ? OptionalLong.of(request.getVersion()) : OptionalLong.empty();
    OfferId id = OfferId.parse(request.getId());
    RpcResponse.complete(
        response,
        stages.put(id, request.getStage(), request.getData().toByteArray(), version),
        Function.identity());
  }

  @Override
  public void getStage(GetStageRequest request, StreamObserver<Stage> response) {
    RpcResponse.complete(
        response,
        stages.get(OfferId.parse(request.getId()), request.getStage()),
        Function.identity());
  }

  private void act(OfferActionRequest request, Action action, StreamObserver<Offer> response) {
    Caller caller = CurrentCaller.required();
    RpcResponse.complete(
        response,
        offers.apply(caller, OfferId.parse(request.getId()), action),
        Function.identity());
  }

  private CompletableFuture<BatchResult> result(
      Caller caller, String text, Optional<OfferId> offer, Action action) {
    BatchResult.Builder result = BatchResult.newBuilder().setId(text);
    if (offer.isEmpty()) {
      return CompletableFuture.completedFuture(result.setCode(Failure.Kind.INVALID.name()).build());
    }
    return offers
        .apply(caller, offer.get(), action)
        .handle((_, error) -> result.setCode(error == null ? OK : kind(error)).build());
  }

  private static String kind(Throwable error) {
    return Futures.unwrap(error) instanceof Failure failure
        ? failure.kind().name()
        : Failure.Kind.UNAVAILABLE.name();
  }

  private static BatchResults joined(List<CompletableFuture<BatchResult>> results) {
    BatchResults.Builder joined = BatchResults.newBuilder();
    results.forEach(result -> joined.addResults(result.join()));
    return joined.build();
  }

  private static BatchGetOffersResponse withMissing(
      Map<String, Optional<OfferId>> ids, Map<OfferId, Offer> visible) {
    BatchGetOffersResponse.Builder response = BatchGetOffersResponse.newBuilder();
    response.addAllOffers(visible.values());
    ids.forEach(
        (text, id) -> {
          if (id.isEmpty() || !visible.containsKey(id.get())) {
            response.addMissing(text);
          }
        });
    return response.build();
  }

  private static Optional<Money> price(MarkSoldRequest request) {
    return request.hasPrice()
        ? Optional.of(
            Money.at("price", request.getPrice().getAmount(), request.getPrice().getCurrency()))
        : Optional.empty();
  }

  private static Action action(BatchActRequest.Action action) {
    return switch (action) {
      case WITHDRAW -> Action.WITHDRAW;
      case REACTIVATE -> Action.REACTIVATE;
      case PROLONG -> Action.PROLONG;
      case REMOVE -> Action.REMOVE;
      case ACTION_UNSPECIFIED, UNRECOGNIZED ->
          throw Failure.invalid("batch.action", "bad action", "action", "is required");
    };
  }

  /// Empty for a malformed id, which is reported like an unknown offer.
  private static Optional<OfferId> parsed(String text) {
    try {
      return Optional.of(OfferId.parse(text));
    } catch (Failure malformed) {
      return Optional.empty();
    }
  }

  /// The ids in their order. Fails if two ids are equal, in any spelling, since the action would be applied
  /// twice.
  private static Map<String, Optional<OfferId>> distinct(List<String> texts) {
    requireSize(texts.size());
    Map<String, Optional<OfferId>> ids = new LinkedHashMap<>();
    Set<OfferId> seen = new HashSet<>();
    for (String text : texts) {
      Optional<OfferId> id = parsed(text);
      boolean isNew = !ids.containsKey(text) && id.map(seen::add).orElse(true);
      if (!isNew) {
        throw Failure.invalid("batch.duplicate", "an id occurs twice", "ids", "must differ");
      }
      ids.put(text, id);
    }
    return ids;
  }

  private static void requireSize(int items) {
    if (items > MAX_BATCH) {
      throw Failure.invalid(
          "batch.too-large", "too many ids", "ids", "must be at most " + MAX_BATCH);
    }
  }
}
