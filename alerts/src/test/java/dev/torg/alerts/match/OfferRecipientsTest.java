package dev.torg.alerts.match;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.event.AlertReason;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.Offer;
import dev.torg.favorites.Audiences.Member;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OfferRecipientsTest {
  private static final Instant ACTIVATED = Instant.parse("2026-11-18T12:00:00Z");
  private static final Instant BEFORE = ACTIVATED.minusSeconds(3600);
  private static final AlertContent CONTENT =
      AlertContent.newOffer(
          Offer.newBuilder()
              .setId(OfferId.random(new Home(7)).toString())
              .setSellerId("user:7")
              .setActivatedAt(EpochMicros.timestamp(ACTIVATED))
              .build(),
          ACTIVATED);

  private final OfferRecipients recipients = new OfferRecipients();

  private static AlertReason search(int number) {
    return AlertReason.search("%040x".formatted(number));
  }

  private static List<Member> members(String prefix, int count) {
    return IntStream.range(0, count)
        .mapToObj(n -> new Member("user:" + prefix + n, BEFORE, Delivery.INSTANT))
        .toList();
  }

  /// A hundred thousand matches of a hundred recipients.
  @Test
  void add_sameRecipientsInAThousandAudiences_buffersTwentyReasonsOfEach() {
    List<Member> audience = members("same", 100);
    for (int i = 0; i < 1_000; i++) {
      recipients.add(CONTENT, search(i), audience);
    }
    assertThat(recipients.bufferedReasons()).isEqualTo(100 * Alert.MAX_REASONS);
    List<Alert> alerts = recipients.drain(CONTENT, List.of());
    assertThat(alerts).hasSize(100).allMatch(Alert::reasonsTruncated);
    assertThat(recipients.bufferedReasons()).isZero();
  }

  @Test
  void isFull_moreRecipientsThanTheBound_isTrueUntilDrained() {
    for (int i = 0; i < 5; i++) {
      assertThat(recipients.isFull()).isFalse();
      recipients.add(CONTENT, search(i), members(i + "x", 1_000));
    }
    assertThat(recipients.isFull()).isTrue();
    assertThat(recipients.drain(CONTENT, List.of())).hasSize(5_000);
    assertThat(recipients.isFull()).isFalse();
  }

  @Test
  void add_subscriptionLaterThanTheOffer_isNoReason() {
    Member late = new Member("user:late", ACTIVATED.plusSeconds(3600), Delivery.INSTANT);
    recipients.add(CONTENT, search(1), List.of(late));
    assertThat(recipients.drain(CONTENT, List.of())).isEmpty();
  }
}
