package dev.torg.offers.store;

import static dev.torg.offers.lifecycle.OfferSituations.ID;
import static dev.torg.offers.lifecycle.OfferSituations.NOW;
import static dev.torg.offers.lifecycle.OfferSituations.OPEN;
import static dev.torg.offers.lifecycle.OfferSituations.OWNER;
import static dev.torg.offers.lifecycle.OfferSituations.TERMS;
import static dev.torg.offers.lifecycle.OfferSituations.checked;
import static dev.torg.offers.lifecycle.OfferSituations.content;
import static dev.torg.offers.lifecycle.OfferSituations.offer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.api.v1.Offer.Status;
import dev.torg.offers.lifecycle.DraftKey;
import dev.torg.offers.lifecycle.ExpireOffer;
import dev.torg.offers.lifecycle.OfferCommand;
import dev.torg.offers.lifecycle.OfferSituations;
import dev.torg.offers.lifecycle.OwnerAction;
import dev.torg.offers.lifecycle.OwnerAction.Action;
import dev.torg.offers.lifecycle.PublishOffer;
import dev.torg.offers.lifecycle.PublishableDraft;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.coalesce.Outcome;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class OfferBatchTest {
  private static final DraftKey DRAFT = new DraftKey(OWNER.subject(), new UUID(1, 2));

  @Test
  void decide_severalCommandsOfOneOffer_seePreviousResults() {
    OfferBatch batch = batch(act(Action.WITHDRAW), act(Action.WITHDRAW), act(Action.REACTIVATE));
    load(batch, offer(Status.ACTIVE));
    assertThat(statuses(batch.decide()))
        .containsExactly("WITHDRAWN v6", "offer.illegal-transition", "ACTIVE v7");
    assertThat(batch.slot(ID).events).hasSize(2);
  }

  @Test
  void decide_refused_hasNoEffect() {
    OfferBatch batch = batch(act(Action.REACTIVATE));
    load(batch, offer(Status.BANNED));
    assertThat(statuses(batch.decide())).containsExactly("offer.moderation-only");
    assertThat(batch.slot(ID).isChanged()).isFalse();
    assertThat(batch.slot(ID).events).isEmpty();
    assertThat(batch.slot(ID).effects).isEmpty();
  }

  @Test
  void decide_keep_returnsTheOfferAsItIs() {
    OfferBatch batch = batch(new ExpireOffer(ID, NOW));
    load(batch, offer(Status.ACTIVE));
    assertThat(statuses(batch.decide())).containsExactly("ACTIVE v5");
    assertThat(batch.slot(ID).isChanged()).isFalse();
  }

  @Test
  void decide_unknownOffer_failsOnlyThatCommand() {
    OfferId other = OfferId.random(new Home(3));
    OfferBatch batch = batch(new ExpireOffer(other, NOW), act(Action.WITHDRAW));
    load(batch, offer(Status.ACTIVE));
    assertThat(statuses(batch.decide())).containsExactly("offer.not-found", "WITHDRAWN v6");
  }

  @Test
  void decide_sameDraftTwice_becomesOneOffer() {
    OfferId second = OfferId.random(ID.home());
    OfferBatch batch = batch(publishDraft(ID), publishDraft(second));
    batch.addDrafts(
        Map.of(
            DRAFT,
            new PublishableDraft(content(OPEN, "A title"), Optional.empty(), Optional.empty())));
    assertThat(statuses(batch.decide())).containsExactly("ACTIVE v1", "elsewhere " + ID);
    assertThat(batch.slot(ID).isNew()).isTrue();
    assertThat(batch.slot(second).isNew()).isFalse();
    assertThat(batch.draftKeys()).containsExactly(DRAFT);
  }

  @Test
  void without_idsInUse_refusesOnlyTheirRequests() {
    OfferId second = OfferId.random(ID.home());
    OfferBatch batch = batch(publish(ID), publish(second));
    List<Outcome<OfferWriteResult>> outcomes = batch.decide();
    assertThat(statuses(batch.without(List.of(ID), outcomes)))
        .containsExactly(PublishOffer.ID_IN_USE, "ACTIVE v1");
    assertThat(batch.slots()).extracting(offerInBatch -> offerInBatch.id).containsExactly(second);
  }

  @Test
  void ids_areDistinctAndInTheOrderOfTheirKeys() {
    OfferId low = OfferId.random(new Home(1));
    OfferId high = OfferId.random(new Home(200));
    OfferBatch batch =
        batch(new ExpireOffer(high, NOW), new ExpireOffer(low, NOW), act(Action.REACTIVATE, low));
    assertThat(batch.ids()).containsExactly(low, high);
    assertThat(batch.idsToModerate()).containsExactly(low);
    assertThat(batch.idsWithPhotos()).isEmpty();
  }

  @Test
  void addRows_archivedBody_isReadFromArchiveOrFails() {
    OfferSituations offer = offer(Status.EXPIRED);
    OfferStore.LockedRow stub =
        new OfferStore.LockedRow(ID, offer.stored().seq(), 3, 0, "2026-05-01", null);
    OfferBatch batch = batch(act(Action.REACTIVATE));
    batch.addRows(List.of(stub), Map.of(ID, offer.shown().toByteArray()));
    assertThat(statuses(batch.decide())).containsExactly("ACTIVE v6");
    assertThat(batch.slot(ID).archivePositionToRestore()).isPresent();
    assertThatThrownBy(() -> batch(act(Action.REACTIVATE)).addRows(List.of(stub), Map.of()))
        .isInstanceOf(IllegalStateException.class);
  }

  private static List<String> statuses(List<Outcome<OfferWriteResult>> outcomes) {
    return outcomes.stream().map(OfferBatchTest::status).toList();
  }

  private static String status(Outcome<OfferWriteResult> outcome) {
    return switch (outcome) {
      case Outcome.Done<OfferWriteResult>(OfferWriteResult.Current(var offer)) ->
          offer.getStatus() + " v" + offer.getVersion();
      case Outcome.Done<OfferWriteResult>(OfferWriteResult.ExistingOffer(var offer)) ->
          "elsewhere " + offer;
      case Outcome.Failed<OfferWriteResult>(var failure) -> failure.code();
    };
  }

  private static OfferBatch batch(OfferCommand... commands) {
    List<OfferWriteRequest> requests =
        Arrays.stream(commands).map(c -> new OfferWriteRequest(c, 1, Optional.empty())).toList();
    return new OfferBatch(requests, Duration.ofDays(45));
  }

  private static void load(OfferBatch batch, OfferSituations offer) {
    batch.slot(ID).loaded(offer.stored(), Presets.of(offer.shown()).bits(), null);
    batch.slot(ID).moderation(offer.situation().moderation());
  }

  private static OwnerAction act(Action action) {
    return act(action, ID);
  }

  private static OwnerAction act(Action action, OfferId id) {
    return new OwnerAction(id, OWNER, action, TERMS, NOW);
  }

  private static PublishOffer publish(OfferId id) {
    PublishOffer.Source source = new PublishOffer.Source.Content(checked(OPEN, "A title"));
    return new PublishOffer(id, OWNER.subject(), source, TERMS, NOW);
  }

  private static PublishOffer publishDraft(OfferId id) {
    return new PublishOffer(
        id, OWNER.subject(), new PublishOffer.Source.FromDraft(DRAFT), TERMS, NOW);
  }
}
