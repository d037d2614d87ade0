package dev.torg.bench.favorites;

import dev.torg.api.v1.BatchResult;
import dev.torg.api.v1.BatchResults;
import dev.torg.api.v1.Favorite;
import dev.torg.api.v1.FavoriteServiceGrpc;
import dev.torg.api.v1.FavoriteServiceGrpc.FavoriteServiceStub;
import dev.torg.api.v1.ListFavoritesRequest;
import dev.torg.api.v1.ListFavoritesResponse;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OfferIds;
import dev.torg.api.v1.OfferServiceGrpc;
import dev.torg.api.v1.OfferServiceGrpc.OfferServiceStub;
import dev.torg.api.v1.PublishOfferRequest;
import dev.torg.bench.load.LoadChannel;
import dev.torg.bench.load.Unary;
import dev.torg.bench.offers.Texts;
import dev.torg.bench.process.ApiClient;
import dev.torg.bench.wire.PlainFavoritesGrpc;
import dev.torg.bench.wire.PlainFavoritesGrpc.PlainFavoritesStub;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.stub.AbstractStub;
import io.grpc.stub.MetadataUtils;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/// The calls of the benchmark: people with a token each who save any offer, one at a time as people click, and
/// list the newest they saved.
final class FavoritesClient implements AutoCloseable {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final ManagedChannel channel;
  private final List<FavoriteServiceStub> people = new ArrayList<>();
  private final List<PlainFavoritesStub> plainPeople = new ArrayList<>();
  private final OfferServiceStub seller;
  private final Texts texts = new Texts();
  private final String[] ids;
  private final ListFavoritesRequest page;

  FavoritesClient(String address, int persons, int offers, int pageSize) {
    channel = LoadChannel.to(address);
    FavoriteServiceStub favorites = FavoriteServiceGrpc.newStub(channel);
    PlainFavoritesStub plain = PlainFavoritesGrpc.newStub(channel);
    ids = new String[offers];
    page =
        ListFavoritesRequest.newBuilder()
            .setKind(Favorite.Kind.OFFER)
            .setPageSize(pageSize)
            .build();
    try (ApiClient anonymous = new ApiClient(address)) {
      seller = as(OfferServiceGrpc.newStub(channel), anonymous.token("seller"));
      for (int i = 0; i < persons; i++) {
        String token = anonymous.token("bench-" + i);
        people.add(as(favorites, token));
        plainPeople.add(as(plain, token));
      }
    }
  }

  private static <S extends AbstractStub<S>> S as(S stub, String token) {
    Metadata header = new Metadata();
    header.put(AUTHORIZATION, "Bearer " + token);
    return stub.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(header));
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }

  CompletableFuture<Offer> publish(int index) {
    PublishOfferRequest request =
        PublishOfferRequest.newBuilder().setOffer(texts.offer(index)).build();
    return Unary.<Offer>future(response -> seller.publishOffer(request, response))
        .thenApply(
            offer -> {
              ids[index] = offer.getId();
              return offer;
            });
  }

  /// Gives a person the given number of favorites to begin with.
  CompletableFuture<BatchResults> begin(int person, int count) {
    OfferIds.Builder some = OfferIds.newBuilder();
    IntStream.range(0, count).forEach(i -> some.addOfferIds(any()));
    return Unary.future(response -> people.get(person).addOffers(some.build(), response));
  }

  CompletableFuture<BatchResults> add() {
    int person = ThreadLocalRandom.current().nextInt(people.size());
    return saved(Unary.future(response -> people.get(person).addOffers(one(), response)));
  }

  CompletableFuture<BatchResults> addPlainly() {
    int person = ThreadLocalRandom.current().nextInt(people.size());
    return saved(Unary.future(response -> plainPeople.get(person).add(one(), response)));
  }

  CompletableFuture<ListFavoritesResponse> list() {
    return list(ThreadLocalRandom.current().nextInt(people.size()));
  }

  CompletableFuture<ListFavoritesResponse> listPlainly() {
    return listPlainly(ThreadLocalRandom.current().nextInt(people.size()));
  }

  /// Whether both ways show a person the same.
  boolean agree(int person) {
    return list(person)
        .join()
        .getFavoritesList()
        .equals(listPlainly(person).join().getFavoritesList());
  }

  private CompletableFuture<ListFavoritesResponse> list(int person) {
    return full(Unary.future(response -> people.get(person).listFavorites(page, response)));
  }

  private CompletableFuture<ListFavoritesResponse> listPlainly(int person) {
    return full(Unary.future(response -> plainPeople.get(person).list(page, response)));
  }

  private OfferIds one() {
    return OfferIds.newBuilder().addOfferIds(any()).build();
  }

  private String any() {
    return ids[ThreadLocalRandom.current().nextInt(ids.length)];
  }

  /// A response with another status than OK is a failure.
  private static CompletableFuture<BatchResults> saved(CompletableFuture<BatchResults> response) {
    return response.thenApply(
        results -> {
          for (BatchResult result : results.getResultsList()) {
            require(result.getCode().equals("OK"), result.getCode());
          }
          return results;
        });
  }

  /// A page that is not full, or without its offers, is a failure.
  private CompletableFuture<ListFavoritesResponse> full(
      CompletableFuture<ListFavoritesResponse> response) {
    return response.thenApply(
        list -> {
          require(list.getFavoritesCount() == page.getPageSize(), "a page is not full");
          require(list.getFavorites(0).getOffer().hasOffer(), "an offer is missing");
          return list;
        });
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalStateException(message);
    }
  }
}
