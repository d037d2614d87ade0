package dev.torg.offers.store;

import static dev.torg.offers.life.OfferSituations.ID;
import static dev.torg.offers.life.OfferSituations.NOW;
import static dev.torg.offers.life.OfferSituations.OWNER;
import static dev.torg.offers.life.OfferSituations.VERSION;
import static dev.torg.offers.life.OfferSituations.offer;
import static dev.torg.offers.life.OfferSituations.source;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.Opinion;
import dev.torg.offers.cabinet.CounterStore;
import dev.torg.offers.draft.PublishedDrafts;
import dev.torg.offers.life.DraftKey;
import dev.torg.offers.life.Effect;
import dev.torg.offers.life.Effect.Cause;
import dev.torg.offers.life.Micros;
import dev.torg.offers.moderation.ModerationStore;
import dev.torg.offers.moderation.QueueStore;
import dev.torg.offers.part.ModerationPart;
import dev.torg.offers.part.PhotoSource;
import dev.torg.offers.part.PhotosPart;
import dev.torg.offers.photo.FailedPhotos;
import dev.torg.offers.photo.PhotoRequests;
import dev.torg.platform.Money;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class EffectsTest {
  private static final Instant AT = Micros.instant(NOW);
  private static final Effect PENDING = new Effect.Queued(Cause.PENDING);
  private static final Effect EDITED = new Effect.Queued(Cause.EDITED);
  private static final Effect LEAVE = new Effect.Unqueued();

  @Test
  void queued_severalCauses_areOneEntrySinceTheFirst() {
    Slot slot = slot();
    slot.keep(List.of(PENDING), NOW);
    slot.keep(List.of(EDITED), NOW + 5);
    Effects effects = effects(slot);
    assertThat(effects.queued()).containsExactly(new QueueStore.Waiting(ID, 3, AT));
    assertThat(effects.unqueued()).isEmpty();
  }

  /// The store leaves the queue first and enters it then.
  @Test
  void queued_thenLeft_isGone_andTheOtherWayRoundItWaits() {
    Effects left = effects(slot(PENDING, LEAVE));
    assertThat(left.queued()).isEmpty();
    assertThat(left.unqueued()).containsExactly(ID);
    Effects waits = effects(slot(LEAVE, PENDING));
    assertThat(waits.queued()).containsExactly(new QueueStore.Waiting(ID, 1, AT));
    assertThat(waits.unqueued()).containsExactly(ID);
  }

  @Test
  void judged_twice_recordsBothAndKeepsTheLastPart() {
    Opinion ban = Opinion.newBuilder().setVerdict(Opinion.Verdict.BAN).build();
    Opinion ok = Opinion.newBuilder().setVerdict(Opinion.Verdict.OK).build();
    ModerationPart first = ModerationPart.newBuilder().setJudgedVersion(4).build();
    ModerationPart last = ModerationPart.newBuilder().setJudgedVersion(5).build();
    Effects effects =
        effects(slot(new Effect.Judged(ban, true, first), new Effect.Judged(ok, false, last)));
    assertThat(effects.opinions)
        .containsExactly(
            new ModerationStore.Recorded(ID, ban, true, AT),
            new ModerationStore.Recorded(ID, ok, false, AT));
    assertThat(effects.parts()).containsExactly(new ModerationStore.Part(ID, VERSION, last));
  }

  /// What was requested and removed in the same batch is only removed.
  @Test
  void photographed_twice_isOneChange() {
    PhotoSource a = source("a").build();
    PhotoSource b = source("b").build();
    PhotosPart both = PhotosPart.newBuilder().addPhotos(a).addPhotos(b).build();
    PhotosPart left = PhotosPart.newBuilder().addPhotos(b).build();
    Effects effects =
        effects(
            slot(
                new Effect.Photographed(both, List.of(a, b), List.of("old")),
                new Effect.Photographed(left, List.of(), List.of("a"), true)));
    assertThat(effects.photos())
        .containsExactly(
            new PhotoRequests.Change(
                ID, VERSION, left, List.of(b), List.of("old", "a"), true, NOW));
  }

  @Test
  void salesFailuresAndDrafts_nameTheOfferAndItsSeller() {
    DraftKey draft = new DraftKey(OWNER.subject(), new UUID(1, 2));
    Optional<Money> price = Optional.of(new Money(5, "EUR"));
    Effects effects =
        effects(
            slot(
                new Effect.Sold(price),
                new Effect.PhotoFailed(7),
                new Effect.DraftPublished(draft)));
    assertThat(effects.sales)
        .containsExactly(new CounterStore.Sale(ID, OWNER.subject(), price, AT));
    assertThat(effects.failedPhotos)
        .containsExactly(new FailedPhotos.Failed(ID, OWNER.subject(), 7));
    assertThat(effects.published).containsExactly(new PublishedDrafts.Published(draft, ID));
  }

  private static Slot slot(Effect... effects) {
    Slot slot = new Slot(ID, Duration.ofDays(45));
    slot.found(offer(Status.ACTIVE).stored(), 0, null);
    slot.keep(List.of(effects), NOW);
    return slot;
  }

  private static Effects effects(Slot slot) {
    Effects effects = new Effects();
    effects.add(slot);
    return effects;
  }
}
