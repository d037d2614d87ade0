package dev.torg.bench.offers;

import dev.torg.api.v1.GetOfferRequest;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OfferServiceGrpc;
import dev.torg.api.v1.OfferServiceGrpc.OfferServiceStub;
import dev.torg.api.v1.PublishOfferRequest;
import dev.torg.api.v1.UpdateOfferRequest;
import dev.torg.bench.load.LoadChannel;
import dev.torg.bench.load.Unary;
import dev.torg.bench.process.ApiClient;
import dev.torg.bench.wire.EmptyGrpc;
import dev.torg.bench.wire.EmptyGrpc.EmptyStub;
import dev.torg.bench.wire.NothingRequest;
import dev.torg.bench.wire.NothingResponse;
import dev.torg.bench.wire.PlainOffersGrpc;
import dev.torg.bench.wire.PlainOffersGrpc.PlainOffersStub;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

/// The calls of the benchmark: sellers with a token each, who edit their own offers, and readers of any offer.
final class OffersClient implements AutoCloseable {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final ManagedChannel channel;
  private final List<OfferServiceStub> sellers = new ArrayList<>();
  private final List<PlainOffersStub> plainSellers = new ArrayList<>();
  private final OfferServiceStub readers;
  private final PlainOffersStub plainReaders;
  private final EmptyStub empty;
  private final Texts texts = new Texts();
  private final String[] ids;

  OffersClient(String address, int sellerCount, int offers) {
    channel = LoadChannel.to(address);
    readers = OfferServiceGrpc.newStub(channel);
    plainReaders = PlainOffersGrpc.newStub(channel);
    empty = EmptyGrpc.newStub(channel);
    ids = new String[offers];
    try (ApiClient anonymous = new ApiClient(address)) {
      for (int i = 0; i < sellerCount; i++) {
        Metadata header = new Metadata();
        header.put(AUTHORIZATION, "Bearer " + anonymous.token("bench-" + i));
        sellers.add(readers.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(header)));
        plainSellers.add(
            plainReaders.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(header)));
      }
    }
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }

  CompletableFuture<?> publish(int index) {
    PublishOfferRequest request =
        PublishOfferRequest.newBuilder().setOffer(texts.offer(index)).build();
    return Unary.<Offer>future(
            response -> sellers.get(index % sellers.size()).publishOffer(request, response))
        .thenApply(
            offer -> {
              ids[index] = offer.getId();
              return offer;
            });
  }

  CompletableFuture<Offer> update() {
    int index = ThreadLocalRandom.current().nextInt(ids.length);
    return Unary.future(
        response -> sellers.get(index % sellers.size()).updateOffer(edit(index), response));
  }

  CompletableFuture<Offer> updatePlainly() {
    int index = ThreadLocalRandom.current().nextInt(ids.length);
    return Unary.future(
        response -> plainSellers.get(index % sellers.size()).update(edit(index), response));
  }

  CompletableFuture<Offer> read() {
    return Unary.future(response -> readers.getOffer(any(), response));
  }

  CompletableFuture<Offer> readPlainly() {
    return Unary.future(response -> plainReaders.get(any(), response));
  }

  CompletableFuture<?> nothing() {
    return Unary.<NothingResponse>future(
        response -> empty.nothing(NothingRequest.getDefaultInstance(), response));
  }

  private UpdateOfferRequest edit(int index) {
    return UpdateOfferRequest.newBuilder().setId(ids[index]).setOffer(texts.offer(index)).build();
  }

  private GetOfferRequest any() {
    return GetOfferRequest.newBuilder()
        .setId(ids[ThreadLocalRandom.current().nextInt(ids.length)])
        .build();
  }
}
