package dev.torg.favorites;

import static dev.torg.favorites.FavoritesFixture.newUser;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Collection;
import dev.torg.api.v1.CollectionOffersRequest;
import dev.torg.api.v1.CreateCollectionRequest;
import dev.torg.api.v1.DeleteCollectionRequest;
import dev.torg.api.v1.DeleteNoteRequest;
import dev.torg.api.v1.Favorite;
import dev.torg.api.v1.FavoriteCounts;
import dev.torg.api.v1.GetFavoriteCountsRequest;
import dev.torg.api.v1.ListFavoritesRequest;
import dev.torg.api.v1.ListFavoritesResponse;
import dev.torg.api.v1.PutNoteRequest;
import dev.torg.favorites.rpc.FavoriteRpc;
import dev.torg.testkit.TestDatabase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Several users change their favorites randomly and concurrently, each compared with a model.
class FavoriteModelIT {
  @RegisterExtension static final TestDatabase TABLES = FavoritesFixture.tables();

  private static final FavoritesFixture FIXTURE = new FavoritesFixture(TABLES);
  private static final List<String> OFFERS = FIXTURE.offers(12);

  @AfterAll
  static void close() {
    FIXTURE.close();
  }

  @Test
  void random_actionsOfManyUsers_equalTheModel() {
    List<CompletableFuture<Void>> users =
        IntStream.range(0, 8)
            .mapToObj(seed -> CompletableFuture.runAsync(() -> live(new Random(seed))))
            .toList();
    users.forEach(CompletableFuture::join);
  }

  /// The expected favorites of a user.
  private static final class Model {
    final String owner = newUser();
    final Set<String> saved = new HashSet<>();
    final Set<String> notes = new HashSet<>();
    final Map<String, Set<String>> collections = new HashMap<>();
  }

  private static void live(Random random) {
    Model model = new Model();
    for (int i = 0; i < 60; i++) {
      act(model, random, i);
    }
    check(model);
  }

  private static void act(Model model, Random random, int number) {
    List<String> offers = List.of(any(OFFERS, random), any(OFFERS, random));
    switch (random.nextInt(7)) {
      case 0, 1 -> {
        FIXTURE.save(model.owner, offers);
        model.saved.addAll(offers);
      }
      case 2 -> {
        FIXTURE.remove(model.owner, offers);
        model.saved.removeAll(offers);
        model.notes.removeAll(offers);
        model.collections.values().forEach(collections -> collections.removeAll(offers));
      }
      case 3 -> note(model, offers.getFirst());
      case 4 -> {
        FIXTURE.as(
            model.owner,
            DeleteNoteRequest.newBuilder().setId(offers.getFirst()).build(),
            FavoriteRpc::deleteNote);
        model.notes.remove(offers.getFirst());
      }
      case 5 -> collect(model, offers, random, number);
      default -> drop(model, random);
    }
  }

  private static void note(Model model, String offer) {
    FIXTURE.as(
        model.owner,
        PutNoteRequest.newBuilder().setId(offer).setText("n").build(),
        FavoriteRpc::putNote);
    model.saved.add(offer);
    model.notes.add(offer);
  }

  private static void collect(Model model, List<String> offers, Random random, int number) {
    if (model.collections.isEmpty() || random.nextInt(4) == 0) {
      Collection created =
          FIXTURE.as(
              model.owner,
              CreateCollectionRequest.newBuilder().setName("c" + number).build(),
              FavoriteRpc::createCollection);
      model.collections.put(created.getId(), new HashSet<>());
    }
    String id = any(new ArrayList<>(model.collections.keySet()), random);
    CollectionOffersRequest request =
        CollectionOffersRequest.newBuilder().setId(id).addAllOfferIds(offers).build();
    if (random.nextInt(3) > 0) {
      FIXTURE.as(model.owner, request, FavoriteRpc::addToCollection);
      model.collections.get(id).addAll(offers);
      model.saved.addAll(offers);
    } else {
      FIXTURE.as(model.owner, request, FavoriteRpc::removeFromCollection);
      model.collections.get(id).removeAll(offers);
    }
  }

  private static void drop(Model model, Random random) {
    if (!model.collections.isEmpty() && random.nextInt(3) == 0) {
      String id = any(new ArrayList<>(model.collections.keySet()), random);
      FIXTURE.as(
          model.owner,
          DeleteCollectionRequest.newBuilder().setId(id).build(),
          FavoriteRpc::deleteCollection);
      model.collections.remove(id);
    }
  }

  private static void check(Model model) {
    FavoriteCounts counts =
        FIXTURE.as(
            model.owner,
            GetFavoriteCountsRequest.getDefaultInstance(),
            FavoriteRpc::getFavoriteCounts);
    assertThat(counts.getCountsMap())
        .isEqualTo(
            Map.of(
                "OFFER", model.saved.size(),
                "SEARCH", 0,
                "SELLER", 0,
                "NOTE", model.notes.size(),
                "COLLECTION", model.collections.size()));
    assertThat(list(model, Favorite.Kind.OFFER))
        .extracting(Favorite::getId)
        .containsExactlyInAnyOrderElementsOf(model.saved);
    for (Favorite favorite : list(model, Favorite.Kind.COLLECTION)) {
      assertThat(favorite.getCollection().getSize())
          .isEqualTo(model.collections.get(favorite.getId()).size());
    }
    for (Favorite favorite : list(model, Favorite.Kind.OFFER)) {
      assertThat(favorite.getOffer().getNote().isEmpty())
          .isEqualTo(!model.notes.contains(favorite.getId()));
      assertThat(favorite.getOffer().getCollectionIdsList())
          .containsExactlyInAnyOrderElementsOf(
              model.collections.entrySet().stream()
                  .filter(e -> e.getValue().contains(favorite.getId()))
                  .map(Map.Entry::getKey)
                  .toList());
    }
  }

  private static List<Favorite> list(Model model, Favorite.Kind kind) {
    ListFavoritesResponse page =
        FIXTURE.as(
            model.owner,
            ListFavoritesRequest.newBuilder().setKind(kind).build(),
            FavoriteRpc::listFavorites);
    return page.getFavoritesList();
  }

  private static <T> T any(List<T> list, Random random) {
    return list.get(random.nextInt(list.size()));
  }
}
