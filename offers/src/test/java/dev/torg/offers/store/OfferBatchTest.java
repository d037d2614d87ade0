package dev.torg.offers.store;

import static dev.torg.offers.life.OfferSituations.ID;
import static dev.torg.offers.life.OfferSituations.NOW;
import static dev.torg.offers.life.OfferSituations.OPEN;
import static dev.torg.offers.life.OfferSituations.OWNER;
import static dev.torg.offers.life.OfferSituations.TERMS;
import static dev.torg.offers.life.OfferSituations.checked;
import static dev.torg.offers.life.OfferSituations.content;
import static dev.torg.offers.life.OfferSituations.offer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.api.v1.Offer.Status;
import dev.torg.offers.cabinet.Presets;
import dev.torg.offers.life.Act;
import dev.torg.offers.life.Act.Action;
import dev.torg.offers.life.DraftKey;
import dev.torg.offers.life.Expire;
import dev.torg.offers.life.OfferCommand;
import dev.torg.offers.life.OfferSituations;
import dev.torg.offers.life.Publish;
import dev.torg.offers.life.PublishableDraft;
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
  void decide_severalCommandsOfOneOffer_eachSeesWhatTheLastLeft() {
    OfferBatch batch = batch(act(Action.WITHDRAW), act(Action.WITHDRAW), act(Action.REACTIVATE));
    found(batch, offer(Status.ACTIVE));
    assertThat(statuses(batch.decide()))
        .containsExactly("WITHDRAWN v6", "offer.illegal-transition", "ACTIVE v7");
    assertThat(batch.slot(ID).events).hasSize(2);
  }

  @Test
  void decide_refused_leavesNoTrace() {
    OfferBatch batch = batch(act(Action.REACTIVATE));
    found(batch, offer(Status.BANNED));
    assertThat(statuses(batch.decide())).containsExactly("offer.moderation-only");
    assertThat(batch.slot(ID).isChanged()).isFalse();
    assertThat(batch.slot(ID).events).isEmpty();
    assertThat(batch.slot(ID).effects).isEmpty();
  }

  @Test
  void decide_keep_returnsTheOfferAsItIs() {
    OfferBatch batch = batch(new Expire(ID, NOW));
    found(batch, offer(Status.ACTIVE));
    assertThat(statuses(batch.decide())).containsExactly("ACTIVE v5");
    assertThat(batch.slot(ID).isChanged()).isFalse();
  }

  @Test
  void decide_unknownOffer_failsAlone() {
    OfferId other = OfferId.random(new Home(3));
    OfferBatch batch = batch(new Expire(other, NOW), act(Action.WITHDRAW));
    found(batch, offer(Status.ACTIVE));
    assertThat(statuses(batch.decide())).containsExactly("offer.not-found", "WITHDRAWN v6");
  }

  @Test
  void decide_sameDraftTwice_becomesOneOffer() {
    OfferId second = OfferId.random(ID.home());
    OfferBatch batch = batch(publishDraft(ID), publishDraft(second));
    batch.foundDrafts(
        Map.of(
            DRAFT,
            new PublishableDraft(content(OPEN, "A title"), Optional.empty(), Optional.empty())));
    assertThat(statuses(batch.decide())).containsExactly("ACTIVE v1", "elsewhere " + ID);
    assertThat(batch.slot(ID).isNew()).isTrue();
    assertThat(batch.slot(second).isNew()).isFalse();
    assertThat(batch.draftKeys()).containsExactly(DRAFT);
  }

  @Test
  void without_takenIds_refusesTheirRequestsAlone() {
    OfferId second = OfferId.random(ID.home());
    OfferBatch batch = batch(publish(ID), publish(second));
    List<Outcome<Written>> outcomes = batch.decide();
    assertThat(statuses(batch.without(List.of(ID), outcomes)))
        .containsExactly(Publish.ID_TAKEN, "ACTIVE v1");
    assertThat(batch.slots()).extracting(slot -> slot.id).containsExactly(second);
  }

  @Test
  void ids_areDistinctAndInTheOrderOfTheirKeys() {
    OfferId low = OfferId.random(new Home(1));
    OfferId high = OfferId.random(new Home(200));
    OfferBatch batch =
        batch(new Expire(high, NOW), new Expire(low, NOW), act(Action.REACTIVATE, low));
    assertThat(batch.ids()).containsExactly(low, high);
    assertThat(batch.idsToModerate()).containsExactly(low);
    assertThat(batch.idsWithPhotos()).isEmpty();
  }

  @Test
  void found_archivedBody_isReadFromThereOrMissing() {
    OfferSituations offer = offer(Status.EXPIRED);
    OfferStore.Found stub =
        new OfferStore.Found(ID, offer.stored().seq(), 3, 0, "2026-05-01", null);
    OfferBatch batch = batch(act(Action.REACTIVATE));
    batch.found(List.of(stub), Map.of(ID, offer.shown().toByteArray()));
    assertThat(statuses(batch.decide())).containsExactly("ACTIVE v6");
    assertThat(batch.slot(ID).leavesArchive()).isPresent();
    assertThatThrownBy(() -> batch(act(Action.REACTIVATE)).found(List.of(stub), Map.of()))
        .isInstanceOf(IllegalStateException.class);
  }

  private static List<String> statuses(List<Outcome<Written>> outcomes) {
    return outcomes.stream().map(OfferBatchTest::status).toList();
  }

  private static String status(Outcome<Written> outcome) {
    return switch (outcome) {
      case Outcome.Done<Written>(Written.Here(var offer)) ->
          offer.getStatus() + " v" + offer.getVersion();
      case Outcome.Done<Written>(Written.Elsewhere(var offer)) -> "elsewhere " + offer;
      case Outcome.Failed<Written>(var failure) -> failure.code();
    };
  }

  private static OfferBatch batch(OfferCommand... commands) {
    List<Request> requests =
        Arrays.stream(commands).map(c -> new Request(c, 1, Optional.empty())).toList();
    return new OfferBatch(requests, Duration.ofDays(45));
  }

  private static void found(OfferBatch batch, OfferSituations offer) {
    batch.slot(ID).found(offer.stored(), Presets.of(offer.shown()).bits(), null);
    batch.slot(ID).moderation(offer.situation().moderation());
  }

  private static Act act(Action action) {
    return act(action, ID);
  }

  private static Act act(Action action, OfferId id) {
    return new Act(id, OWNER, action, TERMS, NOW);
  }

  private static Publish publish(OfferId id) {
    Publish.Source source = new Publish.Source.Content(checked(OPEN, "A title"));
    return new Publish(id, OWNER.subject(), source, TERMS, NOW);
  }

  private static Publish publishDraft(OfferId id) {
    return new Publish(id, OWNER.subject(), new Publish.Source.FromDraft(DRAFT), TERMS, NOW);
  }
}
