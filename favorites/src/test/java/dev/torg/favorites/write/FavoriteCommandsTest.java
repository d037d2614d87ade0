package dev.torg.favorites.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.torg.api.v1.DeliverySettings;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.Favorite;
import dev.torg.api.v1.FavoriteEvent;
import dev.torg.api.v1.FavoriteNote;
import dev.torg.api.v1.SavedSearch;
import dev.torg.api.v1.SearchQuery;
import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.FavoriteLimits;
import dev.torg.favorites.write.FavoriteCommands.OfferToSave;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.Failure.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FavoriteCommandsTest {
  private static final String OWNER = "user:1";
  private static final Instant FIRST = InMemoryFavorites.NOW;
  private static final Instant LATER = FIRST.plus(Duration.ofHours(1));
  private static final SearchQuery CARS = SearchQuery.newBuilder().setCategory("cars").build();

  private final InMemoryFavorites books =
      new InMemoryFavorites(new FavoriteLimits(4, 3, 3, 2, 2, 2, 3));

  private static OfferToSave offer(String id) {
    return new OfferToSave(id, 17, 3);
  }

  private static List<OfferToSave> offers(String... ids) {
    return Stream.of(ids).map(FavoriteCommandsTest::offer).toList();
  }

  private static DeliverySettings settings(Delivery delivery, String... channels) {
    return DeliverySettings.newBuilder()
        .setDelivery(delivery)
        .addAllChannels(List.of(channels))
        .build();
  }

  private Set<String> addOffers(Instant at, String... ids) {
    return books.run(new FavoriteCommands.AddOffers(OWNER, offers(ids), at)).refused();
  }

  private Set<String> follow(Optional<DeliverySettings> settings, String... sellers) {
    return books
        .run(new FavoriteCommands.AddSellers(OWNER, List.of(sellers), settings, FIRST))
        .refused();
  }

  private FavoriteRow saveSearch(
      String id, String name, Optional<DeliverySettings> settings, boolean tooBroad, Instant at) {
    return books
        .run(
            new FavoriteCommands.SaveSearch(
                OWNER,
                id,
                Optional.of(name).filter(requested -> !requested.isEmpty()),
                settings,
                tooBroad,
                SavedSearch.newBuilder().setQuery(CARS).build(),
                at))
        .row()
        .orElseThrow();
  }

  private FavoriteRow saveSearch(String id) {
    return saveSearch(id, "", Optional.empty(), false, FIRST);
  }

  private FavoriteRow updateSearch(
      String id, Optional<String> name, Optional<DeliverySettings> settings, boolean tooBroad) {
    return books
        .run(new FavoriteCommands.Update(OWNER, FavoriteKind.SEARCH, id, name, settings, tooBroad))
        .row()
        .orElseThrow();
  }

  private FavoriteRow note(String offer, String text) {
    return books
        .run(new FavoriteCommands.PutNote(OWNER, offer(offer), text, FIRST))
        .row()
        .orElseThrow();
  }

  private FavoriteRow create(String id, String name) {
    return books
        .run(new FavoriteCommands.CreateCollection(OWNER, id, name, FIRST))
        .row()
        .orElseThrow();
  }

  private FavoriteRow rename(String id, String name) {
    return books.run(new FavoriteCommands.RenameCollection(OWNER, id, name)).row().orElseThrow();
  }

  private Set<String> addToCollection(String collection, String... ids) {
    return books
        .run(new FavoriteCommands.AddToCollection(OWNER, collection, offers(ids), FIRST))
        .refused();
  }

  private void block(String seller) {
    books.run(new FavoriteCommands.Block(OWNER, seller, FIRST));
  }

  private void remove(FavoriteKind kind, String... ids) {
    books.run(new FavoriteCommands.Remove(OWNER, kind, List.of(ids)));
  }

  private Set<String> ids(FavoriteKind kind) {
    return books.ids(OWNER, kind);
  }

  private static void assertFails(ThrowingCallable call, Kind kind, String code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.kind()).isEqualTo(kind);
              assertThat(failure.code()).isEqualTo(code);
            });
  }

  private static void assertLimit(ThrowingCallable call, String named) {
    assertFails(call, Kind.EXHAUSTED, "favorites.limit");
    assertThatThrownBy(call).hasMessageContaining(named);
  }

  @Test
  void addOffers_new_storesTimeAndPrice() {
    assertThat(addOffers(FIRST, "a", "b")).isEmpty();
    FavoriteRow row = books.row(OWNER, FavoriteKind.OFFER, "a");
    assertThat(row.createdAt()).isEqualTo(FIRST);
    assertThat(row.priceHash()).isEqualTo(17);
    assertThat(row.priceVersion()).isEqualTo(3);
  }

  @Test
  void addOffers_events_areOneEachInOrder() {
    addOffers(FIRST, "a", "b");
    List<FavoriteEvent> events = books.drainEvents();
    assertThat(events).extracting(FavoriteEvent::getId).containsExactly("a", "b");
    assertThat(events).extracting(FavoriteEvent::getSeq).isSorted().doesNotHaveDuplicates();
    FavoriteEvent first = events.getFirst();
    assertThat(first.getKind()).isEqualTo(Favorite.Kind.OFFER);
    assertThat(first.getOwner()).isEqualTo(OWNER);
    assertThat(first.getAdded()).isTrue();
    assertThat(first.getRemoved()).isFalse();
    assertThat(first.getPriceHash()).isEqualTo(17);
    assertThat(first.getPriceVersion()).isEqualTo(3);
    assertThat(first.getCreatedAt()).isEqualTo(EpochMicros.timestamp(FIRST));
  }

  @Test
  void addOffers_again_changesNothing() {
    addOffers(FIRST, "a");
    books.drainEvents();
    assertThat(
            books
                .run(
                    new FavoriteCommands.AddOffers(
                        OWNER, List.of(new OfferToSave("a", 99, 99)), LATER))
                .refused())
        .isEmpty();
    assertThat(books.row(OWNER, FavoriteKind.OFFER, "a").createdAt()).isEqualTo(FIRST);
    assertThat(books.row(OWNER, FavoriteKind.OFFER, "a").priceHash()).isEqualTo(17);
    assertThat(books.drainEvents()).isEmpty();
  }

  @Test
  void addOffers_beyondTheLimit_refusesOnlyThose() {
    assertThat(addOffers(FIRST, "a", "b", "c", "d", "e", "f")).containsExactlyInAnyOrder("e", "f");
    assertThat(addOffers(FIRST, "d", "e")).containsExactly("e");
    assertThat(ids(FavoriteKind.OFFER)).containsExactlyInAnyOrder("a", "b", "c", "d");
    books.run(new FavoriteCommands.RemoveOffers(OWNER, List.of("a")));
    assertThat(addOffers(FIRST, "e")).isEmpty();
  }

  @Test
  void limits_areOfEachOwner() {
    addOffers(FIRST, "a", "b", "c", "d");
    FavoriteCommandResult result =
        books.run(new FavoriteCommands.AddOffers("user:2", offers("a"), FIRST));
    assertThat(result.refused()).isEmpty();
    assertThat(books.ids("user:2", FavoriteKind.OFFER)).containsExactly("a");
  }

  @Test
  void removeOffers_removesNoteAndCollectionEntriesToo() {
    note("a", "rusty");
    create("c1", "cars");
    create("c2", "old");
    addToCollection("c1", "a", "b");
    addToCollection("c2", "a");
    books.drainEvents();
    books.run(new FavoriteCommands.RemoveOffers(OWNER, List.of("a", "never saved")));
    assertThat(ids(FavoriteKind.OFFER)).containsExactly("b");
    assertThat(ids(FavoriteKind.NOTE)).isEmpty();
    assertThat(books.entriesOf(OWNER, "c1")).containsExactly("b");
    assertThat(books.entriesOf(OWNER, "c2")).isEmpty();
    assertThat(books.drainEvents())
        .extracting(FavoriteEvent::getId, FavoriteEvent::getRemoved, FavoriteEvent::getAdded)
        .containsExactly(tuple("a", true, false));
  }

  @Test
  void addSellers_settings_areInstantByDefault() {
    follow(Optional.empty(), "s");
    assertThat(FavoriteEvents.settings(seller())).isEqualTo(settings(Delivery.INSTANT));
    follow(Optional.of(settings(Delivery.OFF, "EMAIL")), "s");
    follow(Optional.empty(), "s");
    assertThat(FavoriteEvents.settings(seller())).isEqualTo(settings(Delivery.OFF, "EMAIL"));
    assertThat(books.drainEvents())
        .extracting(event -> event.getSettings().getDelivery())
        .containsExactly(Delivery.INSTANT, Delivery.OFF);
  }

  private FavoriteRow seller() {
    return books.row(OWNER, FavoriteKind.SELLER, "s");
  }

  @Test
  void addSellers_beyondTheLimit_stillChangesThoseThatAreFollowed() {
    assertThat(follow(Optional.empty(), "s", "t", "u", "v")).containsExactly("v");
    assertThat(follow(Optional.of(settings(Delivery.DAILY)), "v", "s")).containsExactly("v");
    assertThat(seller().delivery()).isEqualTo(Delivery.DAILY_VALUE);
    assertThat(ids(FavoriteKind.SELLER)).containsExactlyInAnyOrder("s", "t", "u");
  }

  @Test
  void settings_unknownFields_areDropped() {
    UnknownFieldSet unknown =
        UnknownFieldSet.newBuilder()
            .addField(
                99,
                UnknownFieldSet.Field.newBuilder()
                    .addLengthDelimited(ByteString.copyFrom(new byte[100_000]))
                    .build())
            .build();
    follow(
        Optional.of(settings(Delivery.DAILY, "SMS").toBuilder().setUnknownFields(unknown).build()),
        "s");
    assertThat(FavoriteEvents.settings(seller())).isEqualTo(settings(Delivery.DAILY, "SMS"));
    assertThat(seller().body()).hasSizeLessThan(100);
  }

  @Test
  void block_andUnblock_emitNoEvent() {
    block("s");
    block("s");
    assertThat(ids(FavoriteKind.BLOCK)).containsExactly("s");
    remove(FavoriteKind.BLOCK, "s");
    assertThat(ids(FavoriteKind.BLOCK)).isEmpty();
    assertThat(books.drainEvents()).isEmpty();
  }

  @Test
  void block_beyondTheLimit_isRefusedUntilOneIsRemoved() {
    block("s");
    block("t");
    block("t");
    assertLimit(() -> block("u"), "at most 2 blocked sellers");
    remove(FavoriteKind.BLOCK, "s");
    block("u");
    assertThat(ids(FavoriteKind.BLOCK)).containsExactlyInAnyOrder("t", "u");
  }

  @ParameterizedTest
  @EnumSource(
      value = FavoriteKind.class,
      names = {"SELLER", "SEARCH", "NOTE"})
  void remove_existingOrNot_isRemovedAndEmittedOnce(FavoriteKind kind) {
    follow(Optional.empty(), "x");
    saveSearch("x");
    note("x", "text");
    books.drainEvents();
    remove(kind, "x", "never saved");
    remove(kind, "x");
    assertThat(ids(kind)).isEmpty();
    assertThat(ids(FavoriteKind.OFFER)).containsExactly("x");
    assertThat(books.drainEvents())
        .hasSize(kind.isPublished() ? 1 : 0)
        .allMatch(FavoriteEvent::getRemoved);
  }

  @Test
  void saveSearch_new_isInstantWithItsQuery() {
    FavoriteRow row = saveSearch("q", "old cars", Optional.empty(), false, FIRST);
    assertThat(row.name()).isEqualTo("old cars");
    assertThat(FavoriteEvents.search(row).getQuery()).isEqualTo(CARS);
    assertThat(FavoriteEvents.settings(row)).isEqualTo(settings(Delivery.INSTANT));
    FavoriteEvent event = books.drainEvents().getFirst();
    assertThat(event.getQuery()).isEqualTo(CARS);
    assertThat(event.getSettings()).isEqualTo(settings(Delivery.INSTANT));
    assertThat(event.getAdded()).isTrue();
  }

  @Test
  void saveSearch_again_keepsTimeNameAndSettings() {
    saveSearch("q", "old cars", Optional.of(settings(Delivery.OFF, "EMAIL")), false, FIRST);
    books.drainEvents();
    FavoriteRow repeated = saveSearch("q", "", Optional.empty(), false, LATER);
    assertThat(repeated.createdAt()).isEqualTo(FIRST);
    assertThat(repeated.name()).isEqualTo("old cars");
    assertThat(FavoriteEvents.settings(repeated)).isEqualTo(settings(Delivery.OFF, "EMAIL"));
    assertThat(books.drainEvents()).isEmpty();
    assertThat(saveSearch("q", "new name", Optional.empty(), false, LATER).name())
        .isEqualTo("new name");
    assertThat(books.drainEvents()).extracting(FavoriteEvent::getAdded).containsExactly(false);
  }

  /// Delivery before, requested delivery (empty: none), too broad, delivery after.
  @ParameterizedTest
  @CsvSource({
    "       , ,        false, INSTANT",
    "       , ,        true,  DAILY",
    "       , INSTANT, false, INSTANT",
    "       , INSTANT, true,  DAILY",
    "       , DAILY,   true,  DAILY",
    "       , OFF,     true,  OFF",
    "INSTANT, ,        false, INSTANT",
    "INSTANT, ,        true,  DAILY",
    "INSTANT, OFF,     false, OFF",
    "DAILY,   ,        false, DAILY",
    "DAILY,   INSTANT, false, INSTANT",
    "DAILY,   INSTANT, true,  DAILY",
    "DAILY,   DELIVERY_UNSPECIFIED, false, DAILY",
    "OFF,     ,        true,  OFF",
    "OFF,     INSTANT, true,  DAILY",
    "OFF,     DELIVERY_UNSPECIFIED, true,  OFF",
  })
  void saveSearch_delivery(Delivery before, Delivery requested, boolean tooBroad, Delivery after) {
    if (before != null) {
      saveSearch("q", "", Optional.of(settings(before, "PUSH")), false, FIRST);
    }
    FavoriteRow row =
        saveSearch(
            "q", "", Optional.ofNullable(requested).map(d -> settings(d, "PUSH")), tooBroad, LATER);
    assertThat(FavoriteEvents.settings(row).getDelivery()).isEqualTo(after);
    if (before != null) {
      FavoriteRow updated =
          updateSearch("q", Optional.empty(), Optional.of(settings(before, "PUSH")), false);
      assertThat(updated.delivery()).isEqualTo(before.getNumber());
      updated =
          updateSearch(
              "q",
              Optional.empty(),
              Optional.ofNullable(requested).map(d -> settings(d, "PUSH")),
              tooBroad);
      assertThat(FavoriteEvents.settings(updated)).isEqualTo(settings(after, "PUSH"));
    }
  }

  @Test
  void saveSearch_beyondTheLimit_isRefusedAndExistingOnesCanBeSavedAgain() {
    saveSearch("a");
    saveSearch("b");
    saveSearch("c");
    assertLimit(() -> saveSearch("d"), "at most 3 saved searches");
    assertThat(saveSearch("a", "name", Optional.empty(), false, LATER).name()).isEqualTo("name");
  }

  @Test
  void update_nameOnly_keepsTheSettingsAndResetsNewMatches() {
    FavoriteRow saved =
        saveSearch("q", "old", Optional.of(settings(Delivery.DAILY, "PUSH")), false, FIRST);
    books.put(
        new FavoriteRow(
            saved.key(), FIRST, saved.delivery(), 0, 0, 0, 7, LATER, saved.name(), saved.body()));
    FavoriteRow updated = updateSearch("q", Optional.of("new"), Optional.empty(), false);
    assertThat(updated.name()).isEqualTo("new");
    assertThat(updated.newMatches()).isZero();
    assertThat(updated.lastNotifiedAt()).isEqualTo(LATER);
    assertThat(FavoriteEvents.settings(updated)).isEqualTo(settings(Delivery.DAILY, "PUSH"));
    assertThat(FavoriteEvents.search(updated).getQuery()).isEqualTo(CARS);
  }

  @Test
  void update_tooBroadToInstant_isNeverEmittedAsInstant() {
    saveSearch("q");
    updateSearch("q", Optional.empty(), Optional.of(settings(Delivery.OFF)), false);
    updateSearch("q", Optional.empty(), Optional.of(settings(Delivery.INSTANT)), true);
    assertThat(books.drainEvents())
        .extracting(event -> event.getSettings().getDelivery())
        .containsExactly(Delivery.INSTANT, Delivery.OFF, Delivery.DAILY);
  }

  @Test
  void update_noFields_emitsNoEvent() {
    saveSearch("q");
    books.drainEvents();
    updateSearch("q", Optional.empty(), Optional.empty(), false);
    assertThat(books.drainEvents()).isEmpty();
  }

  @Test
  void update_seller_changesItsSettings() {
    follow(Optional.empty(), "s");
    books.run(
        new FavoriteCommands.Update(
            OWNER,
            FavoriteKind.SELLER,
            "s",
            Optional.empty(),
            Optional.of(settings(Delivery.OFF, "EMAIL")),
            false));
    assertThat(FavoriteEvents.settings(seller())).isEqualTo(settings(Delivery.OFF, "EMAIL"));
  }

  @ParameterizedTest
  @EnumSource(
      value = FavoriteKind.class,
      names = {"SELLER", "SEARCH"})
  void update_notSaved_isNotFound(FavoriteKind kind) {
    FavoriteCommands.Update update =
        new FavoriteCommands.Update(
            OWNER, kind, "x", Optional.empty(), Optional.of(settings(Delivery.DAILY)), false);
    assertFails(() -> books.run(update), Kind.NOT_FOUND, "favorite.unknown");
  }

  @Test
  void putNote_onUnsavedOffer_savesIt() throws Exception {
    note("a", "first");
    FavoriteRow second = note("a", "second");
    assertThat(FavoriteNote.parseFrom(second.body()).getText()).isEqualTo("second");
    assertThat(ids(FavoriteKind.OFFER)).containsExactly("a");
    assertThat(ids(FavoriteKind.NOTE)).containsExactly("a");
    assertThat(books.drainEvents())
        .extracting(FavoriteEvent::getKind)
        .containsExactly(Favorite.Kind.OFFER);
  }

  @Test
  void putNote_beyondTheLimit_isRefusedAndSavesNoOffer() {
    note("a", "first");
    note("b", "second");
    assertLimit(() -> note("c", "third"), "at most 2 notes");
    note("b", "changed");
    assertThat(ids(FavoriteKind.OFFER)).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void putNote_onAnOfferBeyondTheLimit_isRefused() {
    addOffers(FIRST, "a", "b", "c", "d");
    assertLimit(() -> note("e", "text"), "at most 4 saved offers");
    note("a", "text");
    assertThat(ids(FavoriteKind.NOTE)).containsExactly("a");
  }

  @Test
  void createCollection_sameIdAgain_isTheSame() {
    FavoriteRow first = create("c", "cars");
    assertThat(create("c", "cars")).isEqualTo(first);
    assertFails(() -> create("c", "flats"), Kind.CONFLICT, "idempotency-key.reused");
    assertThat(ids(FavoriteKind.COLLECTION)).containsExactly("c");
    assertThat(books.drainEvents()).isEmpty();
  }

  @Test
  void collectionName_isUniquePerOwner() {
    create("c1", "cars");
    books.run(new FavoriteCommands.CreateCollection("user:2", "c9", "cars", FIRST));
    assertFails(() -> create("c2", "cars"), Kind.CONFLICT, "collection.name-taken");
    create("c2", "flats");
    assertFails(() -> rename("c2", "cars"), Kind.CONFLICT, "collection.name-taken");
    assertThat(rename("c1", "cars").name()).isEqualTo("cars");
    assertThat(rename("c1", "vans").name()).isEqualTo("vans");
    assertThat(rename("c2", "cars").name()).isEqualTo("cars");
  }

  @Test
  void createCollection_beyondTheLimit_isRefusedAndExistingOnesAreNot() {
    create("c1", "one");
    create("c2", "two");
    assertLimit(() -> create("c3", "three"), "at most 2 collections");
    assertThat(create("c2", "two").id()).isEqualTo("c2");
  }

  @Test
  void collection_missing_isNotFound() {
    String code = "collection.unknown";
    assertFails(() -> rename("c", "x"), Kind.NOT_FOUND, code);
    assertFails(() -> addToCollection("c", "a"), Kind.NOT_FOUND, code);
    assertFails(
        () -> books.run(new FavoriteCommands.DeleteCollection(OWNER, "c")), Kind.NOT_FOUND, code);
    assertFails(
        () -> books.run(new FavoriteCommands.RemoveFromCollection(OWNER, "c", List.of("a"))),
        Kind.NOT_FOUND,
        code);
    assertThat(ids(FavoriteKind.OFFER)).isEmpty();
  }

  @Test
  void addToCollection_savesTheOffersAndCountsEachOnce() {
    create("c", "cars");
    addToCollection("c", "a", "b");
    assertThat(addToCollection("c", "a", "a", "c")).isEmpty();
    assertThat(books.entriesOf(OWNER, "c")).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(ids(FavoriteKind.OFFER)).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(books.drainEvents()).extracting(FavoriteEvent::getId).containsExactly("a", "b", "c");
  }

  @Test
  void addToCollection_beyondALimit_refusesOnlyThose() {
    create("c1", "full");
    assertThat(addToCollection("c1", "a", "b", "c", "d")).containsExactly("d");
    assertThat(addToCollection("c1", "c", "d")).containsExactly("d");
    assertThat(ids(FavoriteKind.OFFER)).doesNotContain("d");
    create("c2", "second");
    assertThat(addToCollection("c2", "d", "e", "a")).containsExactly("e");
    assertThat(books.entriesOf(OWNER, "c2")).containsExactlyInAnyOrder("d", "a");
  }

  @Test
  void removeFromCollection_keepsTheOfferSaved() {
    create("c", "cars");
    addToCollection("c", "a", "b");
    books.drainEvents();
    FavoriteCommandResult result =
        books.run(new FavoriteCommands.RemoveFromCollection(OWNER, "c", List.of("a", "z")));
    assertThat(result.row().orElseThrow().size()).isEqualTo(1);
    assertThat(ids(FavoriteKind.OFFER)).containsExactlyInAnyOrder("a", "b");
    assertThat(books.drainEvents()).isEmpty();
  }

  @Test
  void deleteCollection_keepsTheOffersSaved() {
    create("c", "cars");
    addToCollection("c", "a", "b");
    books.run(new FavoriteCommands.DeleteCollection(OWNER, "c"));
    assertThat(ids(FavoriteKind.COLLECTION)).isEmpty();
    assertThat(books.entriesOf(OWNER, "c")).isEmpty();
    assertThat(ids(FavoriteKind.OFFER)).containsExactlyInAnyOrder("a", "b");
    create("c2", "cars");
  }

  /// [InMemoryBooks#run] checks counts and sizes after each command, and that a refused one changed nothing.
  @Test
  void anyCommands_inAnyOrder_keepCountsAndSizesExact() {
    Random random = new Random(42);
    int refused = 0;
    for (int i = 0; i < 5_000; i++) {
      try {
        books.run(any(random));
      } catch (Failure e) {
        refused++;
      }
    }
    assertThat(refused).isBetween(100, 4_000);
  }

  private static FavoriteCommand any(Random random) {
    String id = String.valueOf((char) ('a' + random.nextInt(6)));
    String other = String.valueOf((char) ('a' + random.nextInt(6)));
    return switch (random.nextInt(13)) {
      case 0 -> new FavoriteCommands.AddOffers(OWNER, offers(id, other), FIRST);
      case 1 -> new FavoriteCommands.RemoveOffers(OWNER, List.of(id, other));
      case 2 -> new FavoriteCommands.AddSellers(OWNER, List.of(id), Optional.empty(), FIRST);
      case 3 -> new FavoriteCommands.Remove(OWNER, FavoriteKind.SELLER, List.of(id));
      case 4 -> new FavoriteCommands.Block(OWNER, id, FIRST);
      case 5 -> new FavoriteCommands.Remove(OWNER, FavoriteKind.BLOCK, List.of(id));
      case 6 -> new FavoriteCommands.PutNote(OWNER, offer(id), "text", FIRST);
      case 7 -> new FavoriteCommands.Remove(OWNER, FavoriteKind.NOTE, List.of(id));
      case 8 -> new FavoriteCommands.CreateCollection(OWNER, id, other, FIRST);
      case 9 -> new FavoriteCommands.RenameCollection(OWNER, id, other);
      case 10 -> new FavoriteCommands.DeleteCollection(OWNER, id);
      case 11 -> new FavoriteCommands.AddToCollection(OWNER, id, offers(other, "z"), FIRST);
      default -> new FavoriteCommands.RemoveFromCollection(OWNER, id, List.of(other));
    };
  }
}
