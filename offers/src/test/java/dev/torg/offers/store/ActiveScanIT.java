package dev.torg.offers.store;

import static dev.torg.offers.wiring.OffersFixture.await;
import static dev.torg.offers.wiring.OffersFixture.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.offers.ActiveOfferFilter;
import dev.torg.offers.lifecycle.OwnerAction.Action;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.platform.Caller;
import dev.torg.platform.OfferId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ActiveScanIT {
  @RegisterExtension static final OffersFixture OFFERS = new OffersFixture();

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final Caller seller = user("scan" + System.nanoTime());

  @Test
  void scanActive_categoryAndRegions_includesDescendantsOnly() {
    String inside = publish("clothes", "fr/paris/75001");
    String itself = publish("clothes", "fr/paris");
    String second = publish("clothes", "fr/lyon/69001");
    publish("clothes", "fr/paris-nord");
    publish("clothes", "fr/paris0");
    publish("clothes", "fr");
    publish("electronics", "fr/paris");
    assertThat(seen(Set.of("clothes"), Set.of("fr/paris", "fr/lyon")))
        .containsExactlyInAnyOrder(inside, itself, second);
    assertThat(seen(Set.of(), Set.of("fr/lyon"))).containsExactly(second);
  }

  @Test
  void scanActive_changedOffers_areFoundByNewValues() {
    String changed = publish("clothes", "it/roma");
    String withdrawn = publish("clothes", "it/roma");
    String edited = publish("electronics", "it/milano");
    await(OFFERS.offers().apply(seller, OfferId.parse(withdrawn), Action.WITHDRAW));
    edit(changed, offer("clothes", "it/milano"));
    edit(edited, offer("clothes", "it/milano"));
    assertThat(seen(Set.of("clothes"), Set.of("it/roma"))).isEmpty();
    assertThat(seen(Set.of("clothes"), Set.of("it/milano")))
        .containsExactlyInAnyOrder(changed, edited);
    await(OFFERS.offers().apply(seller, OfferId.parse(withdrawn), Action.REACTIVATE));
    assertThat(seen(Set.of("clothes"), Set.of("it/roma"))).containsExactly(withdrawn);
  }

  @Test
  void scanActive_rowsFromBeforeTheColumns_areShownToo() {
    String old = publish("clothes", "es/madrid");
    OFFERS
        .database()
        .inTransaction(
            tx ->
                tx.sql("UPDATE offer SET category = NULL, region = NULL WHERE home = ? AND id = ?")
                    .set(OfferId.parse(old).home())
                    .set(OfferId.parse(old).number())
                    .update());
    assertThat(seen(Set.of("clothes"), Set.of("es/madrid"))).contains(old);
    assertThat(seen(Set.of(), Set.of("es"))).contains(old);
    edit(old, offer("clothes", "es/sevilla"));
    assertThat(seen(Set.of("clothes"), Set.of("es/madrid"))).doesNotContain(old);
  }

  @Test
  void scanActive_seller_seesTheirActiveOnes() {
    String first = publish("clothes", "pt");
    String second = publish("electronics", "pt");
    ActiveOfferFilter own =
        new ActiveOfferFilter(Set.of(), Set.of(), Optional.of(seller.subject()));
    assertThat(seen(own)).containsExactlyInAnyOrder(first, second);
  }

  @Test
  void scanActive_visitorReturnsFalse_stops() {
    publish("clothes", "nl");
    publish("clothes", "nl");
    ActiveOfferFilter filter =
        new ActiveOfferFilter(Set.of("clothes"), Set.of("nl"), Optional.empty());
    List<Offer> seen = new ArrayList<>();
    boolean all =
        OFFERS
            .offersApi()
            .scanActive(
                filter,
                TIMEOUT,
                offer -> {
                  seen.add(offer);
                  return false;
                });
    assertThat(all).isFalse();
    assertThat(seen).hasSize(1);
  }

  @Test
  void scanActive_timeout_returnsFalse() {
    publish("clothes", "be");
    publish("clothes", "be");
    ActiveOfferFilter filter =
        new ActiveOfferFilter(Set.of("clothes"), Set.of("be"), Optional.empty());
    long startNanos = System.nanoTime();
    Duration brief = Duration.ofMillis(5);
    boolean all =
        OFFERS
            .offersApi()
            .scanActive(
                filter,
                brief,
                offer -> {
                  while (System.nanoTime() - startNanos < brief.toNanos() * 2) {
                    Thread.onSpinWait();
                  }
                  return true;
                });
    assertThat(all).isFalse();
  }

  private List<String> seen(Set<String> categories, Set<String> regions) {
    return seen(new ActiveOfferFilter(categories, regions, Optional.empty()));
  }

  private static List<String> seen(ActiveOfferFilter filter) {
    List<String> ids = new ArrayList<>();
    assertThat(OFFERS.offersApi().scanActive(filter, TIMEOUT, offer -> ids.add(offer.getId())))
        .isTrue();
    return ids;
  }

  private String publish(String category, String region) {
    return await(OFFERS.offers().publish(seller, offer(category, region))).getId();
  }

  private void edit(String id, Offer content) {
    await(OFFERS.offers().update(seller, OfferId.parse(id), content, OptionalLong.empty()));
  }

  private static Offer offer(String category, String region) {
    return Offer.newBuilder().setCategory(category).setTitle("A thing").setRegion(region).build();
  }
}
