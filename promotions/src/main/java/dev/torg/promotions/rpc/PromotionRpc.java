package dev.torg.promotions.rpc;

import dev.torg.api.v1.ListActivePromotionsRequest;
import dev.torg.api.v1.ListActivePromotionsResponse;
import dev.torg.api.v1.ListPromotionsRequest;
import dev.torg.api.v1.OfferPromotions;
import dev.torg.api.v1.PaymentCheckout;
import dev.torg.api.v1.PromotionQuote;
import dev.torg.api.v1.PromotionServiceGrpc;
import dev.torg.api.v1.PurchasePromotionsRequest;
import dev.torg.api.v1.QuotePromotionsRequest;
import dev.torg.platform.OfferId;
import dev.torg.platform.rpc.CurrentCaller;
import dev.torg.platform.rpc.RpcResponse;
import dev.torg.promotions.PromotedEntity;
import dev.torg.promotions.apply.ActiveService;
import dev.torg.promotions.payment.PaymentService;
import dev.torg.promotions.service.PromotionService;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The gRPC adapter of quotes, purchases and active services.
public final class PromotionRpc extends PromotionServiceGrpc.PromotionServiceImplBase {
  /// Respond by a future.
  public static final Set<String> NON_BLOCKING_METHODS =
      Set.of("ListPromotions", "ListActivePromotions");

  private final PromotionService service;

  public PromotionRpc(PromotionService service) {
    this.service = service;
  }

  @Override
  public void quotePromotions(
      QuotePromotionsRequest request, StreamObserver<PromotionQuote> response) {
    response.onNext(
        PromotionProtoMapper.quote(
            service.quote(
                CurrentCaller.required(),
                OfferId.parse(request.getId()),
                request.getServiceList())));
    response.onCompleted();
  }

  @Override
  public void purchasePromotions(
      PurchasePromotionsRequest request, StreamObserver<PaymentCheckout> response) {
    String key =
        PaymentService.requireKey(CurrentCaller.idempotencyKey(request.getIdempotencyKey()));
    response.onNext(
        PromotionProtoMapper.checkout(
            service.purchase(
                CurrentCaller.required(),
                OfferId.parse(request.getOfferId()),
                request.getQuoteToken(),
                key)));
    response.onCompleted();
  }

  @Override
  public void listPromotions(
      ListPromotionsRequest request, StreamObserver<OfferPromotions> response) {
    OfferId id = OfferId.parse(request.getId());
    RpcResponse.complete(
        response,
        service.active(List.of(id)),
        active ->
            PromotionProtoMapper.promotions(
                id.toString(), active.getOrDefault(PromotedEntity.of(id), List.of())));
  }

  @Override
  public void listActivePromotions(
      ListActivePromotionsRequest request, StreamObserver<ListActivePromotionsResponse> response) {
    List<OfferId> ids = request.getOfferIdsList().stream().map(OfferId::parse).toList();
    RpcResponse.complete(response, service.active(ids), PromotionRpc::encode);
  }

  private static ListActivePromotionsResponse encode(
      Map<PromotedEntity, List<ActiveService>> active) {
    ListActivePromotionsResponse.Builder message = ListActivePromotionsResponse.newBuilder();
    active.forEach(
        (entity, services) ->
            message.addOffers(PromotionProtoMapper.promotions(entity.id(), services)));
    return message.build();
  }
}
