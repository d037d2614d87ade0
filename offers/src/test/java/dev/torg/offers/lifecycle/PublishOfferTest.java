package dev.torg.offers.lifecycle;

import static dev.torg.offers.lifecycle.OfferSituations.FULL_TERM;
import static dev.torg.offers.lifecycle.OfferSituations.HIDDEN;
import static dev.torg.offers.lifecycle.OfferSituations.ID;
import static dev.torg.offers.lifecycle.OfferSituations.NOW;
import static dev.torg.offers.lifecycle.OfferSituations.OPEN;
import static dev.torg.offers.lifecycle.OfferSituations.OTHER_USER;
import static dev.torg.offers.lifecycle.OfferSituations.OWNER;
import static dev.torg.offers.lifecycle.OfferSituations.TERMS;
import static dev.torg.offers.lifecycle.OfferSituations.change;
import static dev.torg.offers.lifecycle.OfferSituations.checked;
import static dev.torg.offers.lifecycle.OfferSituations.content;
import static dev.torg.offers.lifecycle.OfferSituations.none;
import static dev.torg.offers.lifecycle.OfferSituations.offer;
import static dev.torg.offers.lifecycle.OfferSituations.outcome;
import static dev.torg.offers.lifecycle.OfferSituations.queue;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.Photo;
import dev.torg.offers.lifecycle.PublishOffer.Source;
import dev.torg.offers.part.ModerationPart;
import dev.torg.offers.part.PhotosPart;
import dev.torg.offers.part.PromotionsPart;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.OfferId;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PublishOfferTest {
  private static final DraftKey DRAFT = new DraftKey(OWNER.subject(), new UUID(1, 2));

  @ParameterizedTest
  @CsvSource({"phones, ACTIVE, ''", "pets, PENDING, PENDING", "jobs, PENDING, PENDING"})
  void decide_byCategory_isActiveOrPending(String category, Status status, String queue) {
    Decision.Change change = change(publish(content(category, "A title")), none());
    assertThat(change.after().getStatus()).isEqualTo(status);
    assertThat(queue(change)).isEqualTo(queue);
    assertThat(change.edited()).isTrue();
    assertThat(change.silent()).isFalse();
  }

  @Test
  void decide_activeOffer_setsServerFields() {
    Offer sent =
        content(OPEN, "A title").toBuilder()
            .setSellerId(OTHER_USER.subject())
            .setStatus(Status.SOLD)
            .setVersion(9)
            .addBanReasons("spam")
            .addPhotos(Photo.newBuilder().setId("stolen"))
            .build();
    assertThat(change(publish(sent), none()).after().build())
        .isEqualTo(
            content(OPEN, "A title").toBuilder()
                .setId(ID.toString())
                .setDisplayId(ID.display())
                .setSellerId(OWNER.subject())
                .setStatus(Status.ACTIVE)
                .setCreatedAt(EpochMicros.timestamp(NOW))
                .setActivatedAt(EpochMicros.timestamp(NOW))
                .setExpiresAt(EpochMicros.timestamp(FULL_TERM))
                .build());
  }

  @Test
  void decide_pendingOffer_hasNoTermYet() {
    Offer.Builder after = change(publish(content(HIDDEN, "A title")), none()).after();
    assertThat(after.hasActivatedAt()).isFalse();
    assertThat(after.hasExpiresAt()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(
      value = Status.class,
      names = {"UNRECOGNIZED", "STATUS_UNSPECIFIED"},
      mode = EnumSource.Mode.EXCLUDE)
  void decide_idInUse_isRefusedForRetryWithAnotherId(Status status) {
    assertThat(outcome(publish(content(OPEN, "A title")), offer(status).situation()))
        .isEqualTo(PublishOffer.ID_IN_USE);
    assertThat(outcome(publishDraft(), offer(status).situation()))
        .isEqualTo(PublishOffer.ID_IN_USE);
  }

  @Test
  void decide_draft_becomesAnOfferAndIsMarked() {
    Offer content =
        content(OPEN, "A title").toBuilder().addPhotos(Photo.newBuilder().setId("p")).build();
    Decision.Change change =
        change(publishDraft(), OfferSituations.draft(content, Optional.empty()));
    assertThat(change.after().getStatus()).isEqualTo(Status.ACTIVE);
    assertThat(change.after().getTitle()).isEqualTo("A title");
    assertThat(change.after().getPhotosList()).isEqualTo(content.getPhotosList());
    assertThat(change.effects()).containsExactly(new Effect.DraftPublished(DRAFT));
  }

  @Test
  void decide_draftWithPhotos_keepsThem() {
    Effect.PhotosChanged photos =
        new Effect.PhotosChanged(PhotosPart.getDefaultInstance(), List.of(), List.of());
    PublishableDraft draft =
        new PublishableDraft(content(HIDDEN, "A title"), Optional.of(photos), Optional.empty());
    Decision.Change change = change(publishDraft(), withDraft(draft));
    assertThat(change.effects())
        .containsExactly(
            new Effect.DraftPublished(DRAFT), photos, new Effect.Enqueued(Effect.Cause.PENDING));
  }

  @Test
  void decide_draftPublishedBefore_returnsThatOffer() {
    OfferId first = OfferId.random(ID.home());
    Situation situation = OfferSituations.draft(Offer.getDefaultInstance(), Optional.of(first));
    assertThat(publishDraft().decide(situation)).isEqualTo(new Decision.ExistingOffer(first));
  }

  @Test
  void decide_draftThatIsMissingOrIncomplete_isRefused() {
    assertThat(outcome(publishDraft(), none())).isEqualTo("draft.not-found");
    Offer incomplete = Offer.newBuilder().setTitle("No category").build();
    assertThat(outcome(publishDraft(), OfferSituations.draft(incomplete, Optional.empty())))
        .isEqualTo("offer.invalid");
  }

  @Test
  void publishedAs_keepsTheOthersOfTheDraft() {
    PublishableDraft draft =
        new PublishableDraft(content(OPEN, "A title"), Optional.empty(), Optional.empty());
    assertThat(draft.publishedAs(ID))
        .isEqualTo(new PublishableDraft(draft.content(), Optional.empty(), Optional.of(ID)));
  }

  @Test
  void draft_presentOnlyIfPublishedFromDraft() {
    assertThat(publishDraft().draft()).contains(DRAFT);
    assertThat(publish(content(OPEN, "A title")).draft()).isEmpty();
    assertThat(publishDraft().lockKey()).isEqualTo(OWNER.subject());
  }

  private static Situation withDraft(PublishableDraft draft) {
    return new Situation(
        Optional.empty(),
        ModerationPart.getDefaultInstance(),
        PhotosPart.getDefaultInstance(),
        PromotionsPart.getDefaultInstance(),
        Optional.of(draft));
  }

  private static PublishOffer publish(Offer content) {
    return new PublishOffer(ID, OWNER.subject(), new Source.Content(checked(content)), TERMS, NOW);
  }

  private static PublishOffer publishDraft() {
    return new PublishOffer(ID, OWNER.subject(), new Source.FromDraft(DRAFT), TERMS, NOW);
  }
}
