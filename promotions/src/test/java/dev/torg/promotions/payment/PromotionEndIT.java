package dev.torg.promotions.payment;

import static dev.torg.promotions.payment.PaymentsFixture.DAY;
import static dev.torg.promotions.payment.PaymentsFixture.line;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.Offer.Status;
import dev.torg.platform.Caller;
import dev.torg.platform.Caller.Role;
import dev.torg.platform.Money;
import dev.torg.platform.OfferId;
import dev.torg.promotions.PaymentId;
import dev.torg.promotions.PaymentLine;
import dev.torg.promotions.PaymentStatus;
import dev.torg.promotions.ServiceTerm;
import dev.torg.promotions.payment.PaymentsFixture.EndEntry;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What sellers are told when services end, and what is deleted long after that.
class PromotionEndIT {
  @RegisterExtension static final TestDatabase TABLES = PaymentsFixture.tables();

  private final PaymentsFixture torg = new PaymentsFixture(TABLES.url());
  private final String seller = PaymentsFixture.seller();
  private final OfferId offer = torg.offer(seller);

  @AfterEach
  void close() {
    torg.close();
  }

  private PaymentId bought(OfferId id, PaymentLine... lines) {
    PaymentId payment = torg.purchase(seller, id, "k" + torg.clock.instant(), lines).id();
    torg.webhook(torg.provider.pay(payment, "evt-" + payment));
    torg.awaitStatus(payment, PaymentStatus.APPLIED);
    return payment;
  }

  private void expire() {
    while (torg.expire.run(torg.lease(offer.home()), torg.clock.instant())) {
      // A page was full.
    }
  }

  private void purge() {
    while (torg.purge.run(torg.lease(offer.home()), torg.clock.instant())) {
      // A page was full.
    }
  }

  private boolean isKnown(OfferId id) {
    return torg.count(
            "SELECT count(*) FROM promotion_target WHERE home = ? AND entity_id = ?",
            id.home(),
            id.toString())
        == 1;
  }

  private static PaymentLine lasting(Duration duration, String... services) {
    return new PaymentLine(
        services[0],
        new Money(900, "EUR"),
        Stream.of(services).map(service -> new ServiceTerm(service, duration, false)).toList());
  }

  @Test
  void severalServicesOfAnOffer_areOneEntry_inTheLanguageOfTheSeller() {
    torg.use(seller, NotificationSettings.newBuilder().setLanguage("ru").setDigestHour(9).build());
    bought(offer, line("raise", 300), line("premium", 500));
    torg.clock.advance(DAY);
    expire();
    expire();
    assertThat(torg.endEntries(seller))
        .singleElement()
        .satisfies(
            entry -> {
              assertThat(entry.topic()).isEqualTo("promotions");
              assertThat(entry.content().getText()).isEqualTo("premium, raise");
              assertThat(entry.content().getTitle()).startsWith("Платные услуги");
              assertThat(entry.content().getOpen().getWeb()).isEqualTo("/offers/" + offer);
            });
  }

  @Test
  void bundle_isNamedWithoutItsParts_andANewPurchaseHasANewEntry() {
    for (int i = 0; i < 2; i++) {
      bought(offer, lasting(DAY, "turbo", "raise", "highlight", "premium"));
      torg.clock.advance(DAY);
      expire();
    }
    assertThat(torg.endEntries(seller))
        .extracting(entry -> entry.content().getText())
        .containsExactly("turbo", "turbo");
  }

  @Test
  void endsOfOneHour_beyondThree_growOneEntry() {
    for (int i = 0; i < 6; i++) {
      bought(torg.offer(seller), lasting(Duration.ofSeconds(1), "raise"));
      torg.clock.advance(Duration.ofSeconds(1));
      expire();
    }
    assertThat(torg.endEntries(seller)).extracting(EndEntry::size).containsExactly(1, 1, 1, 3);
  }

  @ParameterizedTest
  @EnumSource(names = {"SOLD", "REMOVED", "BANNED"})
  void otherEnds_haveNoEntryHere_beforeAndAfterTheirEventIsConsumed(Status status) {
    OfferId late = torg.offer(seller);
    bought(offer, line("raise", 300));
    bought(late, line("raise", 300));
    torg.consume(torg.change(offer, status));
    assertThat(torg.active(offer)).isEmpty();
    var _ = torg.change(late, status);
    torg.clock.advance(DAY);
    expire();
    assertThat(torg.endEntries(seller)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"EXPIRED", "WITHDRAWN"})
  void endWhileTheOfferIsNotOnSale_isReported(Status status) {
    bought(offer, line("raise", 300));
    torg.consume(torg.change(offer, status));
    torg.clock.advance(DAY);
    expire();
    assertThat(torg.endEntries(seller)).hasSize(1);
  }

  @Test
  void refund_isReportedAsARefundOnly() {
    PaymentId payment = bought(offer, line("raise", 300));
    torg.payments.refund(payment, "sorry", new Caller("user:admin", Set.of(Role.ADMIN)));
    torg.clock.advance(DAY);
    expire();
    assertThat(torg.bell(seller))
        .isEqualTo(
            List.of(
                "payment:" + payment + ":PAYMENT_APPLIED",
                "payment:" + payment + ":PAYMENT_REFUNDED"));
  }

  @Test
  void purge_deletesWhatNothingHappenedToFor200Days_andALateWebhookIsStillApplied() {
    PaymentId late = torg.purchase(seller, offer, "late", line("raise", 300)).id();
    torg.clock.advance(Duration.ofDays(199));
    purge();
    assertThat(isKnown(offer)).isTrue();
    torg.clock.advance(Duration.ofDays(2));
    purge();
    assertThat(isKnown(offer)).isFalse();
    torg.webhook(torg.provider.pay(late, "late-" + late));
    torg.awaitStatus(late, PaymentStatus.APPLIED);
    assertThat(torg.active(offer)).containsExactly("raise");
    assertThat(isKnown(offer)).isTrue();
  }

  @Test
  void purge_keepsWhatIsActive_endedLately_orWasAskedForAgain() {
    OfferId active = torg.offer(seller);
    OfferId asked = torg.offer(seller);
    bought(active, lasting(Duration.ofDays(300), "premium"));
    bought(offer, lasting(Duration.ofDays(150), "premium"));
    var _ = torg.purchase(seller, asked, "first", line("raise", 300));
    torg.clock.advance(Duration.ofDays(150));
    expire();
    var _ = torg.purchase(seller, asked, "second", line("raise", 300));
    torg.clock.advance(Duration.ofDays(100));
    purge();
    assertThat(List.of(isKnown(active), isKnown(offer), isKnown(asked))).containsOnly(true);
    assertThat(torg.active(active)).containsExactly("premium");
    torg.clock.advance(Duration.ofDays(101));
    expire();
    purge();
    assertThat(List.of(isKnown(active), isKnown(offer), isKnown(asked)))
        .containsExactly(true, false, false);
    torg.clock.advance(Duration.ofDays(201));
    purge();
    assertThat(isKnown(active)).isFalse();
  }
}
