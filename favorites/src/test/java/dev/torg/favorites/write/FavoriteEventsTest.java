package dev.torg.favorites.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.FavoriteEvent;
import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.FavoriteLimits;
import dev.torg.platform.outbox.EventSequence;
import dev.torg.platform.outbox.OutboxMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class FavoriteEventsTest {
  private static final Instant NOW = InMemoryFavorites.NOW;
  private static final String OWNER = "user:1";
  private static final FavoriteRow ROW =
      FavoriteRow.of(new FavoriteKey(OWNER, FavoriteKind.OFFER, "a"), NOW);

  private final FavoritesUnitOfWork unitOfWork = new FavoritesUnitOfWork(_ -> FavoriteLimits.NONE);

  private List<OutboxMessage> events(long lastSeq) {
    return events(lastSeq, unitOfWork.changedRows());
  }

  private List<OutboxMessage> events(long lastSeq, List<FavoritesUnitOfWork.RowChange> changed) {
    unitOfWork.loaded(new OwnerRow(OWNER, lastSeq, 0, ""));
    return FavoriteEvents.of(unitOfWork, changed, new EventSequence(() -> NOW), NOW);
  }

  private static FavoriteEvent parse(OutboxMessage message) throws Exception {
    return FavoriteEvent.parseFrom(message.payload());
  }

  /// After a login merge: offers between the two times may not have been matched against this row.
  @Test
  void rowWithAnOlderTime_isEmittedAsAdded() throws Exception {
    FavoriteRow older = ROW.createdAt(NOW.minus(Duration.ofDays(1)));
    assertThat(
            parse(events(0, List.of(new FavoritesUnitOfWork.RowChange(ROW, older))).getFirst())
                .getAdded())
        .isTrue();
    assertThat(
            parse(events(0, List.of(new FavoritesUnitOfWork.RowChange(older, ROW))).getFirst())
                .getAdded())
        .isFalse();
    assertThat(
            parse(events(0, List.of(new FavoritesUnitOfWork.RowChange(ROW, null))).getFirst())
                .getAdded())
        .isFalse();
  }

  /// The owner's sequence never decreases, whatever the clock.
  @Test
  void seq_clockBehindTheLastEvent_continuesAfterIt() {
    long ahead = new EventSequence(() -> NOW.plus(Duration.ofDays(1))).first();
    List<FavoritesUnitOfWork.RowChange> changed =
        List.of(
            new FavoritesUnitOfWork.RowChange(null, ROW),
            new FavoritesUnitOfWork.RowChange(ROW, null));
    assertThat(events(ahead, changed))
        .extracting(OutboxMessage::seq)
        .containsExactly(ahead + 1, ahead + 2);
    assertThat(unitOfWork.owner(OWNER).seq).isEqualTo(ahead + 2);
  }

  @Test
  void savedAndRemovedInOneBatch_isNotEmitted() {
    unitOfWork.loaded(new OwnerRow(OWNER, 0, 0, ""));
    unitOfWork.put(ROW);
    unitOfWork.remove(ROW.key());
    assertThat(events(0)).isEmpty();
  }

  @Test
  void message_isOfTheOwnersHomeAndKey() {
    OutboxMessage message =
        events(0, List.of(new FavoritesUnitOfWork.RowChange(null, ROW))).getFirst();
    assertThat(message.home()).isEqualTo(ROW.home());
    assertThat(message.key()).isEqualTo(OWNER);
    assertThat(message.topic()).isEqualTo("torg.favorites");
  }
}
