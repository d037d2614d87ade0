package dev.torg.offers.store;

import static dev.torg.offers.lifecycle.OfferSituations.ID;
import static dev.torg.offers.lifecycle.OfferSituations.NOW;
import static dev.torg.offers.lifecycle.OfferSituations.OWNER;
import static dev.torg.offers.lifecycle.OfferSituations.VERSION;
import static dev.torg.offers.lifecycle.OfferSituations.offer;
import static dev.torg.offers.lifecycle.OfferSituations.source;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.Opinion;
import dev.torg.offers.lifecycle.DraftKey;
import dev.torg.offers.lifecycle.Effect;
import dev.torg.offers.lifecycle.Effect.Cause;
import dev.torg.offers.part.ModerationPart;
import dev.torg.offers.part.PhotoSource;
import dev.torg.offers.part.PhotosPart;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Money;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class BatchEffectsTest {
  private static final Instant AT = EpochMicros.instant(NOW);
  private static final Effect PENDING = new Effect.Enqueued(Cause.PENDING);
  private static final Effect EDITED = new Effect.Enqueued(Cause.EDITED);
  private static final Effect LEAVE = new Effect.Dequeued();

  @Test
  void queued_severalCauses_areOneEntrySinceTheFirst() {
    OfferInBatch offerInBatch = slot();
    offerInBatch.recordEffects(List.of(PENDING), NOW);
    offerInBatch.recordEffects(List.of(EDITED), NOW + 5);
    BatchEffects effects = effects(offerInBatch);
    assertThat(effects.queued()).containsExactly(new ModerationQueueStore.Waiting(ID, 3, AT));
    assertThat(effects.unqueued()).isEmpty();
  }

  /// The store leaves the queue first and then enters it.
  @Test
  void queue_enterAndLeave_lastOneWins() {
    BatchEffects effects = effects(slot(PENDING, LEAVE));
    assertThat(effects.queued()).isEmpty();
    assertThat(effects.unqueued()).containsExactly(ID);
    BatchEffects waits = effects(slot(LEAVE, PENDING));
    assertThat(waits.queued()).containsExactly(new ModerationQueueStore.Waiting(ID, 1, AT));
    assertThat(waits.unqueued()).containsExactly(ID);
  }

  @Test
  void opinions_two_recordsBothAndWritesLastPart() {
    Opinion ban = Opinion.newBuilder().setVerdict(Opinion.Verdict.BAN).build();
    Opinion ok = Opinion.newBuilder().setVerdict(Opinion.Verdict.OK).build();
    ModerationPart first = ModerationPart.newBuilder().setJudgedVersion(4).build();
    ModerationPart last = ModerationPart.newBuilder().setJudgedVersion(5).build();
    BatchEffects effects =
        effects(
            slot(
                new Effect.OpinionRecorded(ban, true, first),
                new Effect.OpinionRecorded(ok, false, last)));
    assertThat(effects.opinions)
        .containsExactly(
            new ModerationStore.Recorded(ID, ban, true, AT),
            new ModerationStore.Recorded(ID, ok, false, AT));
    assertThat(effects.parts()).containsExactly(new ModerationStore.Part(ID, VERSION, last));
  }

  /// A photo that is requested and removed in the same batch is only removed.
  @Test
  void photosChanged_twice_isOneChange() {
    PhotoSource a = source("a").build();
    PhotoSource b = source("b").build();
    PhotosPart both = PhotosPart.newBuilder().addPhotos(a).addPhotos(b).build();
    PhotosPart part = PhotosPart.newBuilder().addPhotos(b).build();
    BatchEffects effects =
        effects(
            slot(
                new Effect.PhotosChanged(both, List.of(a, b), List.of("old")),
                new Effect.PhotosChanged(part, List.of(), List.of("a"), true)));
    assertThat(effects.photos())
        .containsExactly(
            new PhotoPartStore.Change(
                ID, VERSION, part, List.of(b), List.of("old", "a"), true, NOW));
  }

  @Test
  void salesFailuresAndDrafts_nameTheOfferAndItsSeller() {
    DraftKey draft = new DraftKey(OWNER.subject(), new UUID(1, 2));
    Optional<Money> price = Optional.of(new Money(5, "EUR"));
    BatchEffects effects =
        effects(
            slot(
                new Effect.Sold(price),
                new Effect.PhotoFailed(7),
                new Effect.DraftPublished(draft)));
    assertThat(effects.sales)
        .containsExactly(new SellerCounterStore.Sale(ID, OWNER.subject(), price, AT));
    assertThat(effects.failedPhotos)
        .containsExactly(new PhotoFailureListener.Failed(ID, OWNER.subject(), 7));
    assertThat(effects.published).containsExactly(new DraftPublicationStore.Published(draft, ID));
  }

  private static OfferInBatch slot(Effect... effects) {
    OfferInBatch offerInBatch = new OfferInBatch(ID, Duration.ofDays(45));
    offerInBatch.loaded(offer(Status.ACTIVE).stored(), 0, null);
    offerInBatch.recordEffects(List.of(effects), NOW);
    return offerInBatch;
  }

  private static BatchEffects effects(OfferInBatch offerInBatch) {
    BatchEffects effects = new BatchEffects();
    effects.add(offerInBatch);
    return effects;
  }
}
