package dev.torg.promotions.payment;

import dev.torg.api.v1.NotificationSettings;
import dev.torg.notifications.Bell;
import dev.torg.notifications.BellEntry;
import dev.torg.notifications.DeliveryRequest;
import dev.torg.notifications.NewNotification;
import dev.torg.notifications.RecipientSettings;
import dev.torg.notifications.TopicChannels;
import dev.torg.platform.db.Tx;
import dev.torg.platform.identity.Subject;
import dev.torg.promotions.StoredPayment;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Notifies payers of what became of their payments, in the transaction that changes them.
public final class PaymentNotices {
  private final Bell bell;
  private final RecipientSettings settings;
  private final TopicChannels channels;
  private final String publicUrl;

  /// @param publicUrl `https://example.org`, or empty
  public PaymentNotices(
      Bell bell, RecipientSettings settings, TopicChannels channels, String publicUrl) {
    this.bell = bell;
    this.settings = settings;
    this.channels = channels;
    this.publicUrl = publicUrl;
  }

  /// To be called once per transaction: bells are locked in key order.
  void write(Tx tx, Collection<PaymentInTransaction> payments, Instant now) throws SQLException {
    List<PaymentInTransaction> noticed =
        payments.stream()
            .filter(payment -> kind(payment).isPresent())
            .filter(payment -> Subject.isValid(payment.payment().payer()))
            .toList();
    if (noticed.isEmpty()) {
      return;
    }
    Set<String> payers =
        noticed.stream().map(payment -> payment.payment().payer()).collect(Collectors.toSet());
    Map<String, NotificationSettings> settingsOf = settings.of(tx, payers);
    List<BellEntry> entries = new ArrayList<>();
    for (PaymentInTransaction payment : noticed) {
      NotificationSettings ofPayer =
          settingsOf.getOrDefault(payment.payment().payer(), RecipientSettings.DEFAULTS);
      entries.add(entry(payment.payment(), kind(payment).orElseThrow(), ofPayer, now));
    }
    var _ = bell.write(tx, entries);
  }

  /// What the transaction has changed that its payer is notified of.
  static Optional<PaymentNoticeKind> kind(PaymentInTransaction payment) {
    if (!payment.isTransition()) {
      return Optional.empty();
    }
    return switch (payment.status()) {
      case APPLIED ->
          Optional.of(
              payment.payment().refundDue() > 0
                  ? PaymentNoticeKind.PAYMENT_PARTLY_REFUNDED
                  : PaymentNoticeKind.PAYMENT_APPLIED);
      case REFUND_DUE, REFUNDED -> Optional.of(PaymentNoticeKind.PAYMENT_REFUNDED);
      case PENDING, DECLINED, PAID -> Optional.empty();
    };
  }

  /// The key makes it one entry per payment and kind, however often it is written.
  private BellEntry entry(
      StoredPayment payment, PaymentNoticeKind kind, NotificationSettings ofPayer, Instant now) {
    return new NewNotification(
        payment.payer(),
        "payment:" + payment.id() + ":" + kind,
        kind.topic(),
        now,
        null,
        new PaymentTexts(ofPayer.getLanguage(), publicUrl).of(payment, kind),
        DeliveryRequest.on(channels.of(kind.topic(), ofPayer)));
  }
}
