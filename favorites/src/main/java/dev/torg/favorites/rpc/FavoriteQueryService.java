package dev.torg.favorites.rpc;

import dev.torg.api.v1.BatchGetFavoritesRequest;
import dev.torg.api.v1.BatchGetFavoritesResponse;
import dev.torg.api.v1.Favorite;
import dev.torg.api.v1.FavoriteCounts;
import dev.torg.api.v1.FavoriteOffer;
import dev.torg.api.v1.ListCollectionOffersRequest;
import dev.torg.api.v1.ListCollectionOffersResponse;
import dev.torg.api.v1.ListCollectionsRequest;
import dev.torg.api.v1.ListCollectionsResponse;
import dev.torg.api.v1.ListFavoritesRequest;
import dev.torg.api.v1.ListFavoritesResponse;
import dev.torg.api.v1.MoveFromAnonymousResponse;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.SaveCount;
import dev.torg.favorites.Audiences;
import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.merge.LoginMergeService;
import dev.torg.favorites.read.FavoriteReader;
import dev.torg.favorites.read.SavedItem;
import dev.torg.offers.Offers;
import dev.torg.platform.Caller;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.OfferId;
import dev.torg.platform.PageSize;
import dev.torg.platform.rpc.PageBytes;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// The read side of the RPCs: favorites together with the offers they are about.
public final class FavoriteQueryService {
  private static final PageSize PAGE_SIZE = new PageSize(50, 200);

  private static final int MAX_IDS = 500;
  private static final Set<FavoriteKind> COUNTED =
      Set.of(
          FavoriteKind.OFFER,
          FavoriteKind.SEARCH,
          FavoriteKind.SELLER,
          FavoriteKind.NOTE,
          FavoriteKind.COLLECTION);

  private final FavoriteReader reader;
  private final Offers offers;
  private final Audiences audiences;
  private final LoginMergeService merging;
  private final Timer listing;

  public FavoriteQueryService(
      FavoriteReader reader,
      Offers offers,
      Audiences audiences,
      LoginMergeService merging,
      MeterRegistry registry) {
    this.reader = reader;
    this.offers = offers;
    this.audiences = audiences;
    this.merging = merging;
    this.listing =
        Timer.builder("torg.favorites.list")
            .description("Time to list favorites")
            .publishPercentileHistogram()
            .register(registry);
  }

  CompletableFuture<ListFavoritesResponse> favorites(String owner, ListFavoritesRequest request) {
    long startNanos = System.nanoTime();
    Instant after =
        request.hasCreatedAfter() ? EpochMicros.instant(request.getCreatedAfter()) : Instant.EPOCH;
    int size = PAGE_SIZE.of(request.getPageSize());
    return reader
        .list(
            owner, FavoriteProtoMapper.kind(request.getKind()), after, size, request.getPageToken())
        .thenCompose(
            page -> withOffers(owner, page.items()).thenApply(offersById -> page(page, offersById)))
        .whenComplete(
            (_, _) -> listing.record(System.nanoTime() - startNanos, TimeUnit.NANOSECONDS));
  }

  private static ListFavoritesResponse page(
      FavoriteReader.Page page, Map<OfferId, Offer> offersById) {
    List<Favorite> favorites =
        page.items().stream()
            .map(savedItem -> FavoriteProtoMapper.favorite(savedItem, offersById))
            .toList();
    int shown = PageBytes.fitting(favorites, Favorite::getSerializedSize);
    return ListFavoritesResponse.newBuilder()
        .addAllFavorites(favorites.subList(0, shown))
        .setNextPageToken(page.tokenAfter(shown))
        .build();
  }

  CompletableFuture<ListCollectionsResponse> collections(
      String owner, ListCollectionsRequest request) {
    int size = PAGE_SIZE.of(request.getPageSize());
    return reader
        .list(owner, FavoriteKind.COLLECTION, Instant.EPOCH, size, request.getPageToken())
        .thenApply(
            page -> {
              ListCollectionsResponse.Builder response =
                  ListCollectionsResponse.newBuilder().setNextPageToken(page.nextToken());
              page.items()
                  .forEach(
                      savedItem ->
                          response.addCollections(FavoriteProtoMapper.collection(savedItem.row())));
              return response.build();
            });
  }

  CompletableFuture<BatchGetFavoritesResponse> batch(
      String owner, BatchGetFavoritesRequest request) {
    FavoriteKind kind = FavoriteProtoMapper.kind(request.getKind());
    if (request.getIdsCount() > MAX_IDS) {
      throw Failure.invalid("batch.size", "bad batch", "ids", "at most 500");
    }
    List<SavedItem> saved = reader.get(owner, kind, request.getIdsList());
    Set<String> savedIds = saved.stream().map(s -> s.row().id()).collect(Collectors.toSet());
    return withOffers(owner, saved)
        .thenApply(
            offersById -> {
              BatchGetFavoritesResponse.Builder response = BatchGetFavoritesResponse.newBuilder();
              saved.forEach(
                  item -> response.addFavorites(FavoriteProtoMapper.favorite(item, offersById)));
              request.getIdsList().stream()
                  .filter(id -> !savedIds.contains(id))
                  .distinct()
                  .forEach(response::addMissing);
              return response.build();
            });
  }

  CompletableFuture<ListCollectionOffersResponse> collection(
      String owner, ListCollectionOffersRequest request) {
    if (reader.get(owner, FavoriteKind.COLLECTION, request.getId()).isEmpty()) {
      throw Failure.notFound("collection.unknown", "there is no such collection");
    }
    FavoriteReader.Page page =
        reader.collection(
            owner, request.getId(), PAGE_SIZE.of(request.getPageSize()), request.getPageToken());
    return withOffers(owner, page.items())
        .thenApply(
            offersById -> {
              List<FavoriteOffer> shown =
                  page.items().stream()
                      .map(savedItem -> FavoriteProtoMapper.offer(savedItem, offersById))
                      .toList();
              int fitting = PageBytes.fitting(shown, FavoriteOffer::getSerializedSize);
              return ListCollectionOffersResponse.newBuilder()
                  .addAllOffers(shown.subList(0, fitting))
                  .setNextPageToken(page.tokenAfter(fitting))
                  .build();
            });
  }

  FavoriteCounts counts(String owner) {
    return FavoriteCounts.newBuilder().putAllCounts(named(reader.counts(owner))).build();
  }

  SaveCount saveCount(String offerId) {
    long count = audiences.saveCount(OfferId.parse(offerId));
    return SaveCount.newBuilder().setCount((int) Math.min(count, Integer.MAX_VALUE)).build();
  }

  MoveFromAnonymousResponse merge(Caller login, String anonymousToken) {
    return MoveFromAnonymousResponse.newBuilder()
        .putAllMoved(named(merging.merge(login, anonymousToken)))
        .build();
  }

  /// Contains every kind.
  private static Map<String, Integer> named(Map<FavoriteKind, Integer> counts) {
    Map<FavoriteKind, Integer> all = new EnumMap<>(FavoriteKind.class);
    COUNTED.forEach(kind -> all.put(kind, counts.getOrDefault(kind, 0)));
    return all.entrySet().stream()
        .collect(Collectors.toMap(e -> e.getKey().name(), Map.Entry::getValue));
  }

  private CompletableFuture<Map<OfferId, Offer>> withOffers(String owner, List<SavedItem> saved) {
    List<OfferId> ids =
        saved.stream()
            .map(SavedItem::row)
            .filter(row -> row.kind() == FavoriteKind.OFFER)
            .map(row -> OfferId.parse(row.id()))
            .toList();
    return ids.isEmpty() ? CompletableFuture.completedFuture(Map.of()) : offers.visible(owner, ids);
  }
}
