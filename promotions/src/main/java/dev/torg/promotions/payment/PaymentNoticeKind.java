package dev.torg.promotions.payment;

import dev.torg.notifications.NotificationTopics;

/// What a payer is notified of, once per payment each.
enum PaymentNoticeKind {
  /// What was paid for is delivered.
  PAYMENT_APPLIED(NotificationTopics.PROMOTIONS),
  /// A part of it is delivered, and the rest is returned.
  PAYMENT_PARTLY_REFUNDED(NotificationTopics.PAYMENTS),
  /// Everything is returned.
  PAYMENT_REFUNDED(NotificationTopics.PAYMENTS);

  private final String topic;

  PaymentNoticeKind(String topic) {
    this.topic = topic;
  }

  String topic() {
    return topic;
  }
}
