package dev.torg.offers.draft;

import static dev.torg.offers.wiring.OffersFixture.anonymous;
import static dev.torg.offers.wiring.OffersFixture.await;
import static dev.torg.offers.wiring.OffersFixture.car;
import static dev.torg.offers.wiring.OffersFixture.kindOf;
import static dev.torg.offers.wiring.OffersFixture.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.offers.category.OfferValidator;
import dev.torg.offers.lifecycle.DraftKey;
import dev.torg.offers.store.PhotoPartStore;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.platform.Caller;
import dev.torg.platform.outbox.Outbox;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PublishDraftIT {
  @RegisterExtension static final OffersFixture OFFERS = new OffersFixture();

  private final DraftService drafts =
      new DraftService(
          OFFERS.database(),
          new OfferValidator(OFFERS.categories),
          new PhotoPartStore(new Outbox()),
          OFFERS.clock,
          Runnable::run);

  @Test
  void publish_twice_returnsTheSameOffer() {
    Caller seller = user("twice");
    DraftKey draft = draft(seller, car("Audi", 100));
    Offer first = await(OFFERS.offers().publish(seller, draft));
    Offer second = await(OFFERS.offers().publish(seller, draft));
    assertThat(second).isEqualTo(first);
    assertThat(first.getTitle()).isEqualTo("Audi");
    assertThat(OFFERS.events(first.getId())).hasSize(1);
  }

  @Test
  void publish_concurrently_createsOneOffer() {
    Caller seller = user("atonce");
    DraftKey draft = draft(seller, car("Audi", 100));
    List<CompletableFuture<Offer>> published = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      published.add(OFFERS.offers().publish(seller, draft));
    }
    assertThat(published.stream().map(p -> await(p).getId()).collect(Collectors.toSet()))
        .hasSize(1);
  }

  @Test
  void publish_incomplete_isInvalidAndStaysADraft() {
    Caller seller = user("incomplete");
    DraftKey draft = draft(seller, Offer.newBuilder().setTitle("No category").build());
    assertThat(kindOf(() -> OFFERS.offers().publish(seller, draft))).isEqualTo("INVALID");
    await(drafts.update(draft, car("Complete", 1)));
    assertThat(await(OFFERS.offers().publish(seller, draft)).getTitle()).isEqualTo("Complete");
  }

  @Test
  void publish_anonymous_isUnauthenticated() {
    Caller visitor = anonymous("visitor");
    DraftKey draft = draft(visitor, car("Audi", 100));
    assertThat(kindOf(() -> OFFERS.offers().publish(visitor, draft))).isEqualTo("UNAUTHENTICATED");
  }

  @Test
  void publish_anothersDraft_isNotFound() {
    DraftKey draft = draft(user("owner"), car("Audi", 100));
    Caller thief = user("thief");
    assertThat(
            kindOf(() -> OFFERS.offers().publish(thief, new DraftKey(thief.subject(), draft.id()))))
        .isEqualTo("NOT_FOUND");
  }

  @Test
  void publish_draft_isNoLongerCurrentNorEditable() {
    Caller seller = user("done");
    DraftKey draft = draft(seller, car("Audi", 100));
    await(OFFERS.offers().publish(seller, draft));
    assertThat(kindOf(() -> drafts.update(draft, car("Late", 1)))).isEqualTo("CONFLICT");
    assertThat(await(drafts.open(seller, Optional.empty(), Optional.empty())).id())
        .isNotEqualTo(draft.id());
  }

  private DraftKey draft(Caller owner, Offer content) {
    DraftRow opened = await(drafts.open(owner, Optional.empty(), Optional.empty()));
    DraftKey key = new DraftKey(owner.subject(), opened.id());
    await(drafts.update(key, content));
    return key;
  }
}
