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

/// The calls of the benchmark: users, each with a token, who save any offer, one at a time, and
/// list the newest they saved.
final class FavoritesClient implements AutoCloseable {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final ManagedChannel channel;
  private final List<FavoriteServiceStub> users = new ArrayList<>();
  private final List<PlainFavoritesStub> plainUsers = new ArrayList<>();
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
        users.add(as(favorites, token));
        plainUsers.add(as(plain, token));
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

  /// Saves the given number of favorites for a user before the measurement.
  CompletableFuture<BatchResults> begin(int user, int count) {
    OfferIds.Builder ids = OfferIds.newBuilder();
    IntStream.range(0, count).forEach(i -> ids.addOfferIds(any()));
    return Unary.future(response -> users.get(user).addOffers(ids.build(), response));
  }

  CompletableFuture<BatchResults> add() {
    int user = ThreadLocalRandom.current().nextInt(users.size());
    return saved(Unary.future(response -> users.get(user).addOffers(nextOffer(), response)));
  }

  CompletableFuture<BatchResults> addPlainly() {
    int user = ThreadLocalRandom.current().nextInt(users.size());
    return saved(Unary.future(response -> plainUsers.get(user).add(nextOffer(), response)));
  }

  CompletableFuture<ListFavoritesResponse> list() {
    return list(ThreadLocalRandom.current().nextInt(users.size()));
  }

  CompletableFuture<ListFavoritesResponse> listPlainly() {
    return listPlainly(ThreadLocalRandom.current().nextInt(users.size()));
  }

  /// Whether both implementations return the same list for a user.
  boolean agree(int user) {
    return list(user).join().getFavoritesList().equals(listPlainly(user).join().getFavoritesList());
  }

  private CompletableFuture<ListFavoritesResponse> list(int user) {
    return full(Unary.future(response -> users.get(user).listFavorites(page, response)));
  }

  private CompletableFuture<ListFavoritesResponse> listPlainly(int user) {
    return full(Unary.future(response -> plainUsers.get(user).list(page, response)));
  }

  private OfferIds nextOffer() {
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
