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
/// the rows it declared to read. After each one the counts equal the rows and the sizes of collections their
/// entries; a command that fails has changed nothing.
final class InMemoryFavorites {
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
  private final Map<CollectionEntry, Instant> entries = new LinkedHashMap<>();
  private final Map<String, Map<FavoriteKind, Integer>> counts = new HashMap<>();
  private final Map<String, Long> seqs = new HashMap<>();
  private final List<FavoriteEvent> events = new ArrayList<>();

  InMemoryFavorites(FavoriteLimits limits) {
    this.limits = limits;
  }

  /// Runs it as a separate batch.
  FavoriteCommandResult run(FavoriteCommand command) {
    FavoritesReadSet readSet = new FavoritesReadSet();
    readSet.owners.add(command.owner());
    command.declareReads(readSet);
    FavoritesUnitOfWork unitOfWork = open(readSet);
    FavoriteCommandResult result;
    try {
      result = command.decide(unitOfWork);
    } catch (Failure e) {
      assertThat(unitOfWork.changedRows()).isEmpty();
      assertThat(unitOfWork.changedOwners()).isEmpty();
      assertThat(unitOfWork.cleared()).isEmpty();
      assertThat(unitOfWork.entries().values()).allMatch(slot -> slot.before() == slot.after());
      throw e;
    }
    close(unitOfWork);
    assertConsistent();
    return result;
  }

  private FavoritesUnitOfWork open(FavoritesReadSet readSet) {
    FavoritesUnitOfWork unitOfWork = new FavoritesUnitOfWork(_ -> limits);
    for (String owner : readSet.owners) {
      OwnerRow row = new OwnerRow(owner, seqs.getOrDefault(owner, 0L), 0, "");
      counts.getOrDefault(owner, Map.of()).forEach(row::add);
      if (readSet.blocks.contains(owner)) {
        row.add(FavoriteKind.BLOCK, (int) count(owner, FavoriteKind.BLOCK));
      }
      unitOfWork.loaded(row);
    }
    rows.values().stream()
        .filter(row -> readSet.rows.contains(row.key()) || isNamed(row, readSet))
        .forEach(unitOfWork::loaded);
    entries.forEach(
        (collectionEntry, at) -> {
          if (isRead(collectionEntry, readSet)) {
            unitOfWork.loaded(collectionEntry, at);
            FavoriteRow collection = rows.get(collection(collectionEntry));
            if (unitOfWork.row(collection.key()).isEmpty()) {
              unitOfWork.loaded(collection);
            }
          }
        });
    return unitOfWork;
  }

  private static boolean isNamed(FavoriteRow row, FavoritesReadSet readSet) {
    return row.kind() == FavoriteKind.COLLECTION
        && readSet.names.contains(new FavoritesReadSet.Named(row.owner(), row.name()));
  }

  private static boolean isRead(CollectionEntry collectionEntry, FavoritesReadSet readSet) {
    return readSet.entries.contains(collectionEntry)
        || readSet.offers.contains(
            new FavoritesReadSet.EntriesOfOffer(
                collectionEntry.owner(), collectionEntry.offerId()));
  }

  private static FavoriteKey collection(CollectionEntry collectionEntry) {
    return new FavoriteKey(
        collectionEntry.owner(), FavoriteKind.COLLECTION, collectionEntry.collection());
  }

  private void close(FavoritesUnitOfWork unitOfWork) {
    List<FavoritesUnitOfWork.RowChange> changed = unitOfWork.changedRows();
    for (OutboxMessage message :
        FavoriteEvents.of(unitOfWork, changed, new EventSequence(() -> NOW), NOW)) {
      events.add(parse(message));
    }
    for (FavoritesUnitOfWork.RowChange rowChange : changed) {
      if (rowChange.after() != null) {
        rows.put(rowChange.after().key(), rowChange.after());
      } else if (rowChange.before() != null) {
        rows.remove(rowChange.before().key());
      }
    }
    unitOfWork.cleared().forEach(key -> entries.keySet().removeIf(p -> collection(p).equals(key)));
    unitOfWork
        .entries()
        .forEach(
            (collectionEntry, rowChange) -> {
              if (rowChange.after() == null) {
                entries.remove(collectionEntry);
              } else {
                entries.putIfAbsent(collectionEntry, rowChange.after());
              }
            });
    for (OwnerRow owner : unitOfWork.changedOwners()) {
      seqs.put(owner.owner, owner.seq);
      Map<FavoriteKind, Integer> retained = new EnumMap<>(FavoriteKind.class);
      COUNTED.forEach(kind -> retained.put(kind, owner.count(kind)));
      counts.put(owner.owner, retained);
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
        (owner, retained) ->
            retained.forEach(
                (kind, count) ->
                    assertThat((long) count)
                        .as("%s of %s", kind, owner)
                        .isEqualTo(count(owner, kind))));
    for (FavoriteRow row : rows.values()) {
      if (row.kind() == FavoriteKind.COLLECTION) {
        assertThat(row.size())
            .as("size of %s", row.id())
            .isEqualTo(entriesOf(row.owner(), row.id()).size());
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

  Set<String> entriesOf(String owner, String collection) {
    return entries.keySet().stream()
        .filter(
            collectionEntry ->
                collectionEntry.owner().equals(owner)
                    && collectionEntry.collection().equals(collection))
        .map(CollectionEntry::offerId)
        .collect(Collectors.toSet());
  }

  /// The events since the last call.
  List<FavoriteEvent> drainEvents() {
    List<FavoriteEvent> accepted = List.copyOf(events);
    events.clear();
    return accepted;
  }
}
