package dev.torg.alerts.match;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.event.AlertReason;
import dev.torg.alerts.event.OfferPositions;
import dev.torg.api.v1.DeliverySettings.Delivery;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StormRecipientsTest {
  private static final int AUDIENCE = 1_000;
  private static final StormRecipients.Match MATCH =
      new StormRecipients.Match(Delivery.INSTANT, new BitSet(), OfferPositions.of(1));

  private final StormRecipients recipients = new StormRecipients();
  private final Set<String> sent = new HashSet<>();

  private static AlertReason search(int number) {
    return AlertReason.search("%040x".formatted(number));
  }

  private void addAudience(String prefix, AlertReason reason) {
    for (int n = 0; n < AUDIENCE; n++) {
      recipients.add("user:" + prefix + n, reason, MATCH);
    }
  }

  /// Fails if a recipient's reason is sent twice.
  private void send() {
    recipients.drain(
        (owner, matches) ->
            matches.keySet().forEach(reason -> assertThat(sent.add(owner + reason.id())).isTrue()));
  }

  /// Three hundred thousand matches of a thousand recipients: few recipients, many reasons.
  @Test
  void isFull_sameRecipientsInManyAudiences_boundsTheReasons() {
    for (int i = 0; i < 300; i++) {
      addAudience("same", search(i));
      assertThat(recipients.bufferedReasons())
          .isLessThanOrEqualTo(StormRecipients.MAX_REASONS + AUDIENCE);
      if (recipients.isFull()) {
        send();
      }
    }
    send();
    assertThat(sent).hasSize(300 * AUDIENCE);
    assertThat(recipients.bufferedReasons()).isZero();
  }

  @Test
  void isFull_otherRecipientsInEachAudience_boundsTheRecipients() {
    for (int i = 0; i < 5; i++) {
      assertThat(recipients.isFull()).isFalse();
      addAudience(i + "x", search(i));
    }
    assertThat(recipients.isFull()).isTrue();
  }

  @Test
  void add_sameReasonTwice_countsOnce() {
    recipients.add("user:1", search(1), MATCH);
    recipients.add("user:1", search(1), MATCH);
    assertThat(recipients.bufferedReasons()).isEqualTo(1);
  }
}
