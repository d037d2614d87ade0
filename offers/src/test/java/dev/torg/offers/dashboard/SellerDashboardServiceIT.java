package dev.torg.offers.dashboard;

import static dev.torg.offers.wiring.OffersFixture.await;
import static dev.torg.offers.wiring.OffersFixture.car;
import static dev.torg.offers.wiring.OffersFixture.kindOf;
import static dev.torg.offers.wiring.OffersFixture.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Preset.Name;
import dev.torg.offers.dashboard.SellerDashboardService.Listing;
import dev.torg.offers.dashboard.SellerDashboardService.Page;
import dev.torg.offers.lifecycle.OwnerAction.Action;
import dev.torg.offers.offer.OfferService;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.offers.wiring.OffersWiring;
import dev.torg.platform.Caller;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SellerDashboardServiceIT {
  @RegisterExtension static final OffersFixture OFFERS = new OffersFixture();

  private final DashboardChecks checks = new DashboardChecks(OFFERS);

  @Test
  void list_concurrentChanges_skipsAndRepeatsNone() {
    Caller seller = user("pages");
    List<String> ids = publish(OFFERS.offers(), seller, 20);
    Page first = list(seller, Name.ACTIVE, "", 5, "");
    publish(OFFERS.offers(), seller, 3);
    await(OFFERS.offers().apply(seller, OfferId.parse(ids.get(19)), Action.WITHDRAW));
    List<String> remaining = new ArrayList<>();
    for (String token = first.nextPageToken(); !token.isEmpty(); ) {
      Page page = list(seller, Name.ACTIVE, "", 5, token);
      page.offers().forEach(offer -> remaining.add(offer.getId()));
      token = page.nextPageToken();
    }
    assertThat(remaining).isEqualTo(ids.subList(0, 15).reversed());
  }

  @Test
  void list_externalId_findsItsOffersInThePreset() {
    Caller seller = user("external");
    Offer first = await(OFFERS.offers().publish(seller, external("sku-1")));
    Offer second = await(OFFERS.offers().publish(seller, external("sku-1")));
    await(OFFERS.offers().publish(seller, external("sku-2")));
    await(OFFERS.offers().publish(user("other"), external("sku-1")));
    Page page = list(seller, Name.ALL, "sku-1", 1, "");
    assertThat(page.offers()).extracting(Offer::getId).containsExactly(second.getId());
    Page next = list(seller, Name.ALL, "sku-1", 1, page.nextPageToken());
    assertThat(next.offers()).extracting(Offer::getId).containsExactly(first.getId());
    assertThat(next.nextPageToken()).isEmpty();
    assertThat(list(seller, Name.SOLD, "sku-1", 10, "").offers()).isEmpty();
  }

  @Test
  void list_otherCallers_seeActiveOnly() {
    Caller seller = user("shy");
    publish(OFFERS.offers(), seller, 2);
    Listing active = new Listing(seller.subject(), Name.ACTIVE, "", 10, "");
    Listing all = new Listing(seller.subject(), Name.ALL, "", 10, "");
    assertThat(await(OFFERS.dashboard().list(Optional.empty(), active)).offers()).hasSize(2);
    assertThat(kindOf(() -> OFFERS.dashboard().list(Optional.empty(), all)))
        .isEqualTo("UNAUTHENTICATED");
    assertThat(kindOf(() -> OFFERS.dashboard().list(Optional.of(user("x")), all)))
        .isEqualTo("FORBIDDEN");
    assertThat(kindOf(() -> OFFERS.dashboard().counts(user("x"), seller.subject())))
        .isEqualTo("FORBIDDEN");
    assertThat(kindOf(() -> OFFERS.dashboard().counters(user("x"), seller.subject())))
        .isEqualTo("FORBIDDEN");
  }

  @Test
  void list_badTokenOrSize_isInvalid() {
    Caller seller = user("bad");
    for (Supplier<Listing> invalid :
        List.<Supplier<Listing>>of(
            () -> new Listing(seller.subject(), Name.ALL, "", -1, ""),
            () -> new Listing(seller.subject(), Name.ALL, "", 201, ""),
            () -> new Listing(seller.subject(), Name.ALL, "", 10, "nonsense!"))) {
      assertThat(kindOf(() -> OFFERS.dashboard().list(Optional.of(seller), invalid.get())))
          .isEqualTo("INVALID");
    }
  }

  @Test
  void twoProcesses_writingTheSameSellers_keepCountsExact() {
    try (Database other = Database.connect(OFFERS.url(), 10);
        OffersWiring second = OFFERS.wiring(other)) {
      List<OfferService> processes = List.of(OFFERS.offers(), OffersFixture.offers(second));
      List<Caller> sellers = List.of(user("both1"), user("both2"));
      List<CompletableFuture<?>> writes = new ArrayList<>();
      for (Caller seller : sellers) {
        List<String> ids = publish(OFFERS.offers(), seller, 20);
        for (int round = 0; round < 5; round++) {
          for (String id : ids) {
            Action action = round % 2 == 0 ? Action.WITHDRAW : Action.REACTIVATE;
            for (OfferService process : processes) {
              writes.add(
                  process.apply(seller, OfferId.parse(id), action).handle((offer, _) -> offer));
            }
          }
          processes.forEach(process -> writes.add(process.publish(seller, car("New one", 5))));
        }
      }
      writes.forEach(OffersFixture::await);
      sellers.forEach(checks::assertExact);
    }
  }

  private static Offer external(String externalId) {
    return car("Audi", 100).toBuilder().setExternalId(externalId).build();
  }

  private static Page list(Caller seller, Name preset, String externalId, int size, String token) {
    return await(
        OFFERS
            .dashboard()
            .list(
                Optional.of(seller),
                new Listing(seller.subject(), preset, externalId, size, token)));
  }

  private static List<String> publish(OfferService offers, Caller seller, int count) {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ids.add(await(offers.publish(seller, car("Car " + i, 100))).getId());
    }
    return ids;
  }
}
