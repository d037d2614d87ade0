package dev.torg.favorites.write;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.FavoriteEvent;
import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.FavoriteLimits;
import dev.torg.favorites.FavoriteTopics;
import dev.torg.platform.Failure;
import dev.torg.platform.outbox.EventSequence;
import dev.torg.platform.outbox.OutboxMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Runs commands as [FavoritesStore] and [FavoriteWriter] do, on maps instead of tables. A command sees only
/// what it asked for. After each one the counts are those of the rows and the sizes of collections those of
/// the places; a command that fails has changed nothing.
final class InMemoryBooks {
  static final Instant NOW = Instant.parse("2026-05-04T10:00:00Z");

  private static final Set<FavoriteKind> COUNTED =
      Set.of(
          FavoriteKind.OFFER,
          FavoriteKind.SEARCH,
          FavoriteKind.SELLER,
          FavoriteKind.NOTE,
          FavoriteKind.COLLECTION);

  private final FavoriteLimits limits;
  private final Map<FavoriteKey, FavoriteRow> rows = new LinkedHashMap<>();
  private final Map<CollectionEntry, Instant> places = new LinkedHashMap<>();
  private final Map<String, Map<FavoriteKind, Integer>> counts = new HashMap<>();
  private final Map<String, Long> seqs = new HashMap<>();
  private final List<FavoriteEvent> events = new ArrayList<>();

  InMemoryBooks(FavoriteLimits limits) {
    this.limits = limits;
  }

  /// Runs it as a batch of its own.
  FavoriteCommandResult run(FavoriteCommand command) {
    FavoritesReadSet needs = new FavoritesReadSet();
    needs.owners.add(command.owner());
    command.declareReads(needs);
    FavoritesUnitOfWork book = open(needs);
    FavoriteCommandResult answer;
    try {
      answer = command.decide(book);
    } catch (Failure e) {
      assertThat(book.changedRows()).isEmpty();
      assertThat(book.changedOwners()).isEmpty();
      assertThat(book.cleared()).isEmpty();
      assertThat(book.places().values()).allMatch(slot -> slot.before() == slot.after());
      throw e;
    }
    close(book);
    assertConsistent();
    return answer;
  }

  private FavoritesUnitOfWork open(FavoritesReadSet needs) {
    FavoritesUnitOfWork book = new FavoritesUnitOfWork(_ -> limits);
    for (String owner : needs.owners) {
      OwnerRow row = new OwnerRow(owner, seqs.getOrDefault(owner, 0L), 0, "");
      counts.getOrDefault(owner, Map.of()).forEach(row::add);
      if (needs.blocks.contains(owner)) {
        row.add(FavoriteKind.BLOCK, (int) count(owner, FavoriteKind.BLOCK));
      }
      book.loaded(row);
    }
    rows.values().stream()
        .filter(row -> needs.rows.contains(row.key()) || isNamed(row, needs))
        .forEach(book::loaded);
    places.forEach(
        (place, at) -> {
          if (isAsked(place, needs)) {
            book.loaded(place, at);
            FavoriteRow collection = rows.get(collection(place));
            if (book.row(collection.key()).isEmpty()) {
              book.loaded(collection);
            }
          }
        });
    return book;
  }

  private static boolean isNamed(FavoriteRow row, FavoritesReadSet needs) {
    return row.kind() == FavoriteKind.COLLECTION
        && needs.names.contains(new FavoritesReadSet.Named(row.owner(), row.name()));
  }

  private static boolean isAsked(CollectionEntry place, FavoritesReadSet needs) {
    return needs.places.contains(place)
        || needs.offers.contains(
            new FavoritesReadSet.EntriesOfOffer(place.owner(), place.offerId()));
  }

  private static FavoriteKey collection(CollectionEntry place) {
    return new FavoriteKey(place.owner(), FavoriteKind.COLLECTION, place.collection());
  }

  private void close(FavoritesUnitOfWork book) {
    List<FavoritesUnitOfWork.RowChange> changed = book.changedRows();
    for (OutboxMessage message :
        FavoriteEvents.of(book, changed, new EventSequence(() -> NOW), NOW)) {
      events.add(parse(message));
    }
    for (FavoritesUnitOfWork.RowChange slot : changed) {
      if (slot.after() != null) {
        rows.put(slot.after().key(), slot.after());
      } else if (slot.before() != null) {
        rows.remove(slot.before().key());
      }
    }
    book.cleared().forEach(key -> places.keySet().removeIf(p -> collection(p).equals(key)));
    book.places()
        .forEach(
            (place, slot) -> {
              if (slot.after() == null) {
                places.remove(place);
              } else {
                places.putIfAbsent(place, slot.after());
              }
            });
    for (OwnerRow owner : book.changedOwners()) {
      seqs.put(owner.owner, owner.seq);
      Map<FavoriteKind, Integer> kept = new EnumMap<>(FavoriteKind.class);
      COUNTED.forEach(kind -> kept.put(kind, owner.count(kind)));
      counts.put(owner.owner, kept);
    }
  }

  private static FavoriteEvent parse(OutboxMessage message) {
    try {
      assertThat(message.topic()).isEqualTo(FavoriteTopics.FAVORITES);
      FavoriteEvent event = FavoriteEvent.parseFrom(message.payload());
      assertThat(message.key()).isEqualTo(event.getOwner());
      assertThat(message.seq()).isEqualTo(event.getSeq());
      return event;
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  private void assertConsistent() {
    counts.forEach(
        (owner, kept) ->
            kept.forEach(
                (kind, count) ->
                    assertThat((long) count)
                        .as("%s of %s", kind, owner)
                        .isEqualTo(count(owner, kind))));
    for (FavoriteRow row : rows.values()) {
      if (row.kind() == FavoriteKind.COLLECTION) {
        assertThat(row.size())
            .as("size of %s", row.id())
            .isEqualTo(placed(row.owner(), row.id()).size());
      }
    }
  }

  private long count(String owner, FavoriteKind kind) {
    return rows.keySet().stream()
        .filter(key -> key.owner().equals(owner) && key.kind() == kind)
        .count();
  }

  /// The ids that an owner has of a kind.
  Set<String> ids(String owner, FavoriteKind kind) {
    return rows.keySet().stream()
        .filter(key -> key.owner().equals(owner) && key.kind() == kind)
        .map(FavoriteKey::id)
        .collect(Collectors.toSet());
  }

  FavoriteRow row(String owner, FavoriteKind kind, String id) {
    return rows.get(new FavoriteKey(owner, kind, id));
  }

  /// As alerts change it.
  void put(FavoriteRow row) {
    rows.put(row.key(), row);
  }

  Set<String> placed(String owner, String collection) {
    return places.keySet().stream()
        .filter(place -> place.owner().equals(owner) && place.collection().equals(collection))
        .map(CollectionEntry::offerId)
        .collect(Collectors.toSet());
  }

  /// Those since the last call.
  List<FavoriteEvent> takeEvents() {
    List<FavoriteEvent> taken = List.copyOf(events);
    events.clear();
    return taken;
  }
}
