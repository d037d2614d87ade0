package dev.torg.offers.store;

import static dev.torg.offers.lifecycle.OfferSituations.DAY;
import static dev.torg.offers.lifecycle.OfferSituations.EDITED;
import static dev.torg.offers.lifecycle.OfferSituations.ID;
import static dev.torg.offers.lifecycle.OfferSituations.NOW;
import static dev.torg.offers.lifecycle.OfferSituations.VERSION;
import static dev.torg.offers.lifecycle.OfferSituations.money;
import static dev.torg.offers.lifecycle.OfferSituations.offer;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.OfferEvent;
import dev.torg.api.v1.Opinion;
import dev.torg.api.v1.Photo;
import dev.torg.offers.lifecycle.Decision;
import dev.torg.offers.lifecycle.Effect;
import dev.torg.offers.lifecycle.ExpireOffer;
import dev.torg.offers.lifecycle.OfferDiff;
import dev.torg.offers.lifecycle.OfferSituations;
import dev.torg.offers.lifecycle.StoredOffer;
import dev.torg.offers.part.ModerationPart;
import dev.torg.offers.part.PhotoSource;
import dev.torg.offers.part.PhotosPart;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.outbox.OutboxMessage;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The effects of a change, whatever the command.
class OfferInBatchTest {
  private static final Duration ARCHIVE_AFTER = Duration.ofDays(45);
  private static final long TOKEN = 77;

  @Test
  void change_newOffer_isVersionOneWithoutPreviousState() {
    OfferInBatch offerInBatch = new OfferInBatch(ID, ARCHIVE_AFTER);
    Offer content = offer(Status.ACTIVE).shown();
    StoredOffer after = change(offerInBatch, content.toBuilder(), NOW, false);
    assertThat(after.version()).isEqualTo(1);
    assertThat(after.editedVersion()).isEqualTo(1);
    assertThat(after.seq()).isEqualTo(NOW);
    assertThat(EpochMicros.of(after.shown().getUpdatedAt())).isEqualTo(NOW);
    assertThat(offerInBatch.isNew()).isTrue();
    assertThat(offerInBatch.isChanged()).isFalse();
    OfferEvent event = event(offerInBatch.events.getFirst());
    assertThat(event.hasBefore()).isFalse();
    assertThat(event.getAfter()).isEqualTo(after.shown());
    assertThat(event.getChangedList()).contains("title", "price", "status");
  }

  @Test
  void change_storedOffer_incrementsVersionAndSeqAndListsDifferences() {
    OfferSituations before = offer(Status.ACTIVE);
    OfferInBatch offerInBatch = loaded(before);
    StoredOffer after =
        change(offerInBatch, before.shown().toBuilder().setTitle("Other"), NOW + 1, true);
    assertThat(after.version()).isEqualTo(VERSION + 1);
    assertThat(after.seq()).isEqualTo(NOW + 2);
    assertThat(offerInBatch.isNew()).isFalse();
    assertThat(offerInBatch.isChanged()).isTrue();
    OutboxMessage message = offerInBatch.events.getFirst();
    assertThat(message.key()).isEqualTo(ID.toString());
    assertThat(message.seq()).isEqualTo(after.seq());
    assertThat(message.home()).isEqualTo(ID.home());
    OfferEvent event = event(message);
    assertThat(event.getBefore()).isEqualTo(OfferDiff.matching(before.shown()));
    assertThat(event.getAfter()).isEqualTo(after.shown());
    assertThat(event.getChangedList()).containsExactly("title");
    assertThat(event.getVersion()).isEqualTo(VERSION + 1);
    assertThat(event.getSeq()).isEqualTo(after.seq());
    assertThat(EpochMicros.of(event.getAt())).isEqualTo(NOW + 1);
    assertThat(event.getSilent()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"true, 6", "false, 3"})
  void change_editedVersion_advancesWithEditsOnly(boolean edited, long expected) {
    OfferSituations before = offer(Status.ACTIVE);
    assertThat(before.stored().editedVersion()).isEqualTo(EDITED);
    StoredOffer after = change(loaded(before), before.shown().toBuilder(), NOW, edited);
    assertThat(after.editedVersion()).isEqualTo(expected);
  }

  @Test
  void change_silent_marksEventAsSilent() {
    OfferSituations before = offer(Status.ACTIVE);
    OfferInBatch offerInBatch = loaded(before);
    Decision.Change silent =
        new Decision.Change(before.shown().toBuilder(), false, true, List.of());
    offerInBatch.change(silent, new ExpireOffer(ID, NOW), TOKEN);
    assertThat(event(offerInBatch.events.getFirst()).getSilent()).isTrue();
  }

  /// Clocks of machines differ; update times and sequence numbers of one offer still only increase.
  @Test
  void change_clockBehind_timesStillIncrease() {
    OfferSituations before = offer(Status.ACTIVE);
    OfferInBatch offerInBatch = loaded(before);
    long earlier = NOW - 5 * DAY;
    long updated = EpochMicros.of(before.shown().getUpdatedAt());
    StoredOffer first = change(offerInBatch, before.shown().toBuilder(), earlier, false);
    assertThat(EpochMicros.of(first.shown().getUpdatedAt())).isEqualTo(updated + 1);
    assertThat(first.seq()).isEqualTo(before.stored().seq() + 2);
    StoredOffer second = change(offerInBatch, first.shown().toBuilder(), earlier, false);
    assertThat(EpochMicros.of(second.shown().getUpdatedAt())).isEqualTo(updated + 2);
    assertThat(second.seq()).isEqualTo(first.seq() + 2);
    assertThat(second.version()).isEqualTo(VERSION + 2);
    assertThat(offerInBatch.events).hasSize(2);
    assertThat(offerInBatch.row().offer()).isEqualTo(second);
    assertThat(offerInBatch.row().token()).isEqualTo(TOKEN);
  }

  /// Prices before and after; empty means none. A point is written if they differ.
  @ParameterizedTest
  @CsvSource({
    "100, 100, false",
    "100, 90,  true",
    "100, ,    true",
    ",    90,  true",
    ",    ,    false",
    ",    0,   true",
  })
  void change_price_isAPointOfTheHistoryWhenItDiffers(Long before, Long after, boolean point) {
    OfferInBatch offerInBatch = loaded(offer(Status.ACTIVE).shown(), o -> priced(o, before));
    Offer.Builder changed = priced(offer(Status.ACTIVE).shown().toBuilder(), after);
    change(offerInBatch, changed, NOW, false);
    Optional<dev.torg.api.v1.Money> price = Optional.ofNullable(after).map(OfferSituations::money);
    assertThat(offerInBatch.prices)
        .isEqualTo(
            point ? List.of(new PriceStore.Point(ID, EpochMicros.instant(NOW), price)) : List.of());
  }

  @Test
  void change_newOffer_startsThePriceHistoryIfItHasAPrice() {
    OfferInBatch priced = new OfferInBatch(ID, ARCHIVE_AFTER);
    change(priced, offer(Status.ACTIVE).shown().toBuilder(), NOW, true);
    assertThat(priced.prices).hasSize(1);
    OfferInBatch free = new OfferInBatch(ID, ARCHIVE_AFTER);
    change(free, offer(Status.ACTIVE).shown().toBuilder().clearPrice(), NOW, true);
    assertThat(free.prices).isEmpty();
  }

  /// The time at which the offer changes without a command: its expiry or its archiving, in days from now.
  @ParameterizedTest
  @CsvSource({
    "ACTIVE,    50",
    "EXPIRED,   45",
    "REMOVED,   45",
    "PENDING,   ",
    "WITHDRAWN, ",
    "BANNED,    ",
    "SOLD,      ",
  })
  void row_dueAt_byStatus(Status status, Long days) {
    OfferSituations offer = offer(status);
    OfferInBatch offerInBatch = loaded(offer);
    change(offerInBatch, offer.shown().toBuilder(), NOW, false);
    assertThat(offerInBatch.row().dueAt())
        .isEqualTo(days == null ? null : EpochMicros.instant(NOW + days * DAY));
  }

  static Stream<Arguments> columns() {
    return Stream.of(
        column(true, Status.ACTIVE, o -> o.setTitle("Other")),
        column(true, Status.ACTIVE, o -> o.setPrice(money(9))),
        column(true, Status.ACTIVE, o -> o.addPhotos(photo(Photo.Status.READY))),
        column(false, Status.ACTIVE, o -> o.addPhotos(photo(Photo.Status.FAILED))),
        column(false, Status.ACTIVE, o -> o.setStatus(Status.WITHDRAWN)),
        column(false, Status.ACTIVE, o -> o.setCategory("jobs")),
        column(false, Status.ACTIVE, o -> o.setRegion("fr")),
        column(false, Status.ACTIVE, o -> o.setExternalId("sku-2")),
        column(false, Status.ACTIVE, o -> o.setExpiresAt(EpochMicros.timestamp(NOW))),
        column(true, Status.WITHDRAWN, o -> o.setTitle("Other")),
        // The archiving of an expired offer counts from its last update.
        column(false, Status.EXPIRED, o -> o.setTitle("Other")));
  }

  @ParameterizedTest
  @MethodSource("columns")
  void isBodyOnly_unlessAColumnChanges(
      boolean expected, Status status, UnaryOperator<Offer.Builder> edit) {
    OfferSituations before = offer(status);
    OfferInBatch offerInBatch = loaded(before);
    change(offerInBatch, edit.apply(before.shown().toBuilder()), NOW, true);
    assertThat(offerInBatch.isBodyOnly()).isEqualTo(expected);
  }

  @Test
  void archivedOffer_changed_isRestored() {
    ArchiveStore.ArchivePosition position =
        new ArchiveStore.ArchivePosition(ID, LocalDate.of(2026, 5, 1));
    OfferSituations before = offer(Status.WITHDRAWN);
    OfferInBatch offerInBatch = new OfferInBatch(ID, ARCHIVE_AFTER);
    offerInBatch.loaded(before.stored(), Presets.of(before.shown()).bits(), position);
    assertThat(offerInBatch.archivePositionToRestore()).isEmpty();
    change(offerInBatch, before.shown().toBuilder().setTitle("Other"), NOW, true);
    assertThat(offerInBatch.archivePositionToRestore()).contains(position);
    assertThat(offerInBatch.isBodyOnly()).isFalse();
  }

  /// The next command of the batch is decided from the parts that the previous one produced.
  @Test
  void keep_effects_areCollectedAndPartsUpdated() {
    OfferInBatch offerInBatch = loaded(offer(Status.ACTIVE));
    ModerationPart moderation = ModerationPart.newBuilder().setJudgedVersion(5).build();
    PhotosPart photos =
        PhotosPart.newBuilder().addPhotos(PhotoSource.newBuilder().setId("p")).build();
    offerInBatch.recordEffects(
        List.of(
            new Effect.OpinionRecorded(Opinion.getDefaultInstance(), true, moderation),
            new Effect.PhotosChanged(photos, List.of(), List.of()),
            new Effect.Dequeued()),
        NOW);
    assertThat(offerInBatch.moderation()).isEqualTo(moderation);
    assertThat(offerInBatch.photos()).isEqualTo(photos);
    assertThat(offerInBatch.effects).hasSize(3);
    assertThat(offerInBatch.effects)
        .extracting(OfferInBatch.TimedEffect::at)
        .containsOnly(EpochMicros.instant(NOW));
    assertThat(offerInBatch.isChanged()).isFalse();
    assertThat(offerInBatch.events).isEmpty();
  }

  private static Arguments column(
      boolean bodyOnly, Status status, UnaryOperator<Offer.Builder> edit) {
    return Arguments.of(bodyOnly, status, edit);
  }

  private static Photo photo(Photo.Status status) {
    return Photo.newBuilder().setId("p").setStatus(status).build();
  }

  private static Offer.Builder priced(Offer.Builder offer, Long price) {
    return price == null ? offer.clearPrice() : offer.setPrice(money(price));
  }

  private static OfferInBatch loaded(OfferSituations offer) {
    return loaded(offer.shown(), o -> o);
  }

  private static OfferInBatch loaded(Offer shown, UnaryOperator<Offer.Builder> edit) {
    Offer edited = edit.apply(shown.toBuilder()).build();
    StoredOffer stored = new StoredOffer(ID, NOW - 2 * DAY, EDITED, edited);
    OfferInBatch offerInBatch = new OfferInBatch(ID, ARCHIVE_AFTER);
    offerInBatch.loaded(stored, Presets.of(edited).bits(), null);
    return offerInBatch;
  }

  private static StoredOffer change(
      OfferInBatch offerInBatch, Offer.Builder after, long at, boolean edited) {
    return offerInBatch.change(
        new Decision.Change(after, edited, List.of()), new ExpireOffer(ID, at), TOKEN);
  }

  private static OfferEvent event(OutboxMessage message) {
    try {
      return OfferEvent.parseFrom(message.payload());
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }
}
