package dev.torg.offers.promotion;

import static dev.torg.offers.wiring.OffersFixture.await;
import static dev.torg.offers.wiring.OffersFixture.car;
import static dev.torg.offers.wiring.OffersFixture.pet;
import static dev.torg.offers.wiring.OffersFixture.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.OfferEvent;
import dev.torg.api.v1.Opinion;
import dev.torg.api.v1.PromotedService;
import dev.torg.api.v1.PromotionEvent;
import dev.torg.offers.OfferTopics;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.platform.Caller;
import dev.torg.platform.Failure;
import dev.torg.platform.OfferId;
import dev.torg.platform.kafka.ConsumerBinding;
import dev.torg.platform.kafka.Event;
import dev.torg.platform.kafka.EventHandler;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// From events about promotions to offers.
class PromotionEventsIT {
  @RegisterExtension static final OffersFixture OFFERS = new OffersFixture();

  private static final Caller SELLER = user("seller");
  private static final EventHandler CONSUMER = consumer();

  @Test
  void handle_services_areShownWithTheOffersEvent() throws Exception {
    Offer offer = publish();
    handle(event(offer, 5, "raise", "premium"));
    Offer shown = shown(offer);
    assertThat(shown.getPromotionsList()).containsExactly("raise", "premium");
    assertThat(shown.getVersion()).isEqualTo(2);
    assertThat(shown.toBuilder().clearPromotions().setVersion(1).clearUpdatedAt().build())
        .isEqualTo(offer.toBuilder().clearUpdatedAt().build());
    OfferEvent last = OFFERS.events(offer.getId()).getLast();
    assertThat(last.getChangedList()).containsExactly("promotions");
    assertThat(last.getAfter().getPromotionsList()).containsExactly("raise", "premium");
    handle(event(offer, 6));
    assertThat(shown(offer).getPromotionsList()).isEmpty();
  }

  /// Each delivery of five events, in any order and any grouping, ends with the services of the last one.
  @Test
  void handle_repeatedAndReorderedEvents_endsWithTheLast() throws Exception {
    Random random = new Random(15);
    for (int round = 0; round < 20; round++) {
      Offer offer = publish();
      List<Event> deliveries = new ArrayList<>();
      for (int seq = 1; seq <= 5; seq++) {
        Event event = event(offer, seq, "service-" + seq);
        deliveries.addAll(Collections.nCopies(1 + random.nextInt(3), event));
      }
      Collections.shuffle(deliveries, random);
      while (!deliveries.isEmpty()) {
        List<Event> batch = deliveries.subList(0, 1 + random.nextInt(deliveries.size()));
        CONSUMER.handle(List.copyOf(batch));
        batch.clear();
      }
      assertThat(shown(offer).getPromotionsList()).containsExactly("service-5");
    }
  }

  @Test
  void handle_olderEventAfterOneThatChangedNothing_hasNoEffect() throws Exception {
    Offer offer = publish();
    handle(event(offer, 5, "premium"));
    handle(event(offer, 7, "premium"));
    handle(event(offer, 6));
    assertThat(shown(offer).getPromotionsList()).containsExactly("premium");
    assertThat(OFFERS.events(offer.getId())).hasSize(2);
  }

  /// An approved offer of a premoderated category stays active, and no moderator is asked.
  @Test
  void handle_premoderatedOffer_isNotReviewed() throws Exception {
    Offer pet = await(OFFERS.offers().publish(SELLER, pet("A cat")));
    await(
        OFFERS
            .moderation()
            .applyOpinion(
                OffersFixture.moderator("m"),
                OfferId.parse(pet.getId()),
                Opinion.newBuilder().setVerdict(Opinion.Verdict.OK).build()));
    handle(event(pet, 5, "premium"));
    assertThat(shown(pet).getStatus()).isEqualTo(Status.ACTIVE);
    assertThat(shown(pet).getPromotionsList()).containsExactly("premium");
    assertThat(OFFERS.queueCauses(pet)).isEmpty();
  }

  /// What the seller sends in the field is ignored, and edits keep what is shown.
  @Test
  void edit_promotedOffer_keepsItsPromotions() throws Exception {
    Offer offer = publish();
    handle(event(offer, 5, "premium"));
    Offer edited = car("Audi A6", 2).toBuilder().addPromotions("turbo").build();
    await(
        OFFERS.offers().update(SELLER, OfferId.parse(offer.getId()), edited, OptionalLong.empty()));
    assertThat(shown(offer).getPromotionsList()).containsExactly("premium");
    assertThat(shown(offer).getTitle()).isEqualTo("Audi A6");
    assertThat(publish(edited).getPromotionsList()).isEmpty();
  }

  @Test
  void handle_otherEntities_areIgnored() throws Exception {
    PromotionEvent shop =
        PromotionEvent.newBuilder().setEntityType("shop").setEntityId("x").setSeq(1).build();
    handle(event("shop:x", shop.toByteArray()));
  }

  @ParameterizedTest
  @CsvSource({
    "0070000000000013, 5, premium, offer.not-found",
    "0070000000000012, 5, premium, offer-id.malformed",
    "'',               5, premium, offer-id.malformed",
    "0070000000000013, 0, premium, promotion-event.invalid",
    "0070000000000013, 5, ' ',     promotion-event.invalid",
  })
  void handle_invalidEvent_failsToBeParked(String id, long seq, String service, String code) {
    PromotionEvent event =
        PromotionEvent.newBuilder()
            .setEntityType("offer")
            .setEntityId(id)
            .setSeq(seq)
            .addServices(PromotedService.newBuilder().setService(service))
            .build();
    assertThatThrownBy(() -> handle(event(id, event.toByteArray())))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.code()).isEqualTo(code));
    assertThatThrownBy(() -> handle(event(id, new byte[] {1, 2, 3})))
        .isInstanceOf(InvalidProtocolBufferException.class);
  }

  private static EventHandler consumer() {
    return OFFERS.consumers().stream()
        .filter(binding -> binding.spec().topics().contains(OfferTopics.PROMOTIONS))
        .map(ConsumerBinding::handler)
        .findFirst()
        .orElseThrow();
  }

  private static Offer publish() {
    return publish(car("Audi A4", 1));
  }

  private static Offer publish(Offer content) {
    return await(OFFERS.offers().publish(SELLER, content));
  }

  private static Offer shown(Offer offer) {
    return stored(OfferId.parse(offer.getId()));
  }

  private static Offer stored(OfferId id) {
    Map<OfferId, Offer> found = await(OFFERS.offersApi().find(List.of(id)));
    return found.get(id);
  }

  private static void handle(Event... events) throws Exception {
    CONSUMER.handle(List.of(events));
  }

  private static Event event(Offer offer, long seq, String... services) {
    PromotionEvent event =
        PromotionEvent.newBuilder()
            .setEntityType("offer")
            .setEntityId(offer.getId())
            .setSellerId(SELLER.subject())
            .setSeq(seq)
            .addAllServices(
                Arrays.stream(services)
                    .map(name -> PromotedService.newBuilder().setService(name).build())
                    .toList())
            .build();
    return event("offer/" + offer.getId(), event.toByteArray());
  }

  private static Event event(String key, byte[] payload) {
    return new Event(OfferTopics.PROMOTIONS, 0, 0, key, 0, payload, OFFERS.clock.instant(), false);
  }
}
