package dev.torg.bench.promotions;

import dev.torg.api.v1.ListPromotionsRequest;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OfferPromotions;
import dev.torg.api.v1.OfferServiceGrpc;
import dev.torg.api.v1.OfferServiceGrpc.OfferServiceStub;
import dev.torg.api.v1.PaymentCheckout;
import dev.torg.api.v1.PromotionQuote;
import dev.torg.api.v1.PromotionServiceGrpc;
import dev.torg.api.v1.PromotionServiceGrpc.PromotionServiceStub;
import dev.torg.api.v1.PublishOfferRequest;
import dev.torg.api.v1.PurchasePromotionsRequest;
import dev.torg.api.v1.QuotePromotionsRequest;
import dev.torg.bench.load.LoadChannel;
import dev.torg.bench.load.Unary;
import dev.torg.bench.offers.Texts;
import dev.torg.bench.process.ApiClient;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.stub.AbstractStub;
import io.grpc.stub.MetadataUtils;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/// Sellers who publish offers, ask for quotes, and purchase; and readers of active services.
final class PromotionsClient implements AutoCloseable {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final ManagedChannel channel;
  private final List<OfferServiceStub> sellers = new ArrayList<>();
  private final List<PromotionServiceStub> buyers = new ArrayList<>();
  private final PromotionServiceStub readers;
  private final Texts texts = new Texts();
  private final AtomicLong keys = new AtomicLong();
  private final String[] ids;
  private final String[] tokens;
  private final PaymentCheckout[] payments;

  PromotionsClient(String address, int sellerCount, int offers) {
    channel = LoadChannel.to(address);
    readers = PromotionServiceGrpc.newStub(channel);
    ids = new String[offers];
    tokens = new String[offers];
    payments = new PaymentCheckout[offers];
    try (ApiClient anonymous = new ApiClient(address)) {
      for (int i = 0; i < sellerCount; i++) {
        String token = anonymous.token("bench-" + i);
        sellers.add(as(OfferServiceGrpc.newStub(channel), token));
        buyers.add(as(readers, token));
      }
    }
  }

  private static <S extends AbstractStub<S>> S as(S stub, String token) {
    Metadata header = new Metadata();
    header.put(AUTHORIZATION, "Bearer " + token);
    return stub.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(header));
  }

  CompletableFuture<?> publish(int index) {
    PublishOfferRequest request =
        PublishOfferRequest.newBuilder().setOffer(texts.offer(index)).build();
    return Unary.<Offer>future(
            response -> sellers.get(index % sellers.size()).publishOffer(request, response))
        .thenAccept(offer -> ids[index] = offer.getId());
  }

  CompletableFuture<?> quote() {
    return quote(any());
  }

  CompletableFuture<?> quote(int index) {
    QuotePromotionsRequest request =
        QuotePromotionsRequest.newBuilder().setId(ids[index]).addService("raise").build();
    return Unary.<PromotionQuote>future(
            response -> buyers.get(index % buyers.size()).quotePromotions(request, response))
        .thenAccept(quote -> tokens[index] = quote.getQuoteToken());
  }

  /// A new payment each time.
  CompletableFuture<?> purchase() {
    return purchase(any());
  }

  /// The payment is remembered.
  CompletableFuture<?> purchase(int index) {
    PurchasePromotionsRequest request =
        PurchasePromotionsRequest.newBuilder()
            .setOfferId(ids[index])
            .setQuoteToken(tokens[index])
            .setIdempotencyKey("bench-" + keys.incrementAndGet())
            .build();
    return Unary.<PaymentCheckout>future(
            response -> buyers.get(index % buyers.size()).purchasePromotions(request, response))
        .thenAccept(payment -> payments[index] = payment);
  }

  CompletableFuture<?> active() {
    ListPromotionsRequest request = ListPromotionsRequest.newBuilder().setId(ids[any()]).build();
    return Unary.<OfferPromotions>future(response -> readers.listPromotions(request, response));
  }

  PaymentCheckout payment(int index) {
    return payments[index];
  }

  private int any() {
    return ThreadLocalRandom.current().nextInt(ids.length);
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
