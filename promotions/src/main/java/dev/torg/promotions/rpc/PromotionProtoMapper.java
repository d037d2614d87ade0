package dev.torg.promotions.rpc;

import com.google.protobuf.Duration;
import dev.torg.api.v1.ActivePromotion;
import dev.torg.api.v1.Money;
import dev.torg.api.v1.OfferPromotions;
import dev.torg.api.v1.Payment;
import dev.torg.api.v1.PaymentCheckout;
import dev.torg.api.v1.PromotionQuote;
import dev.torg.api.v1.PromotionQuoteLine;
import dev.torg.platform.EpochMicros;
import dev.torg.promotions.CreatedPayment;
import dev.torg.promotions.PaymentLine;
import dev.torg.promotions.PaymentStatus;
import dev.torg.promotions.StoredPayment;
import dev.torg.promotions.apply.ActiveService;
import dev.torg.promotions.apply.PromotionPaymentHandler;
import dev.torg.promotions.quote.Quote;
import dev.torg.promotions.quote.QuoteIssuer.SignedQuote;
import dev.torg.promotions.quote.QuoteLine;
import java.util.List;

/// From the domain to messages of the API.
final class PromotionProtoMapper {
  private PromotionProtoMapper() {}

  static PromotionQuote quote(SignedQuote signed) {
    Quote quote = signed.quote();
    PromotionQuote.Builder message =
        PromotionQuote.newBuilder()
            .setQuoteToken(signed.token())
            .setTotal(money(quote.total()))
            .setExpiresAt(EpochMicros.timestamp(quote.expiresAt()));
    quote.lines().forEach(line -> message.addLines(line(line)));
    return message.build();
  }

  private static PromotionQuoteLine line(QuoteLine line) {
    return PromotionQuoteLine.newBuilder()
        .setService(line.service())
        .setPrice(money(line.price()))
        .setDuration(Duration.newBuilder().setSeconds(line.duration().toSeconds()))
        .build();
  }

  static PaymentCheckout checkout(CreatedPayment payment) {
    return PaymentCheckout.newBuilder()
        .setPaymentId(payment.id().text())
        .setPaymentUrl(payment.url())
        .setTotal(money(payment.total()))
        .build();
  }

  static OfferPromotions promotions(String offerId, List<ActiveService> services) {
    OfferPromotions.Builder message = OfferPromotions.newBuilder().setOfferId(offerId);
    services.forEach(
        service ->
            message.addPromotions(
                ActivePromotion.newBuilder()
                    .setService(service.service())
                    .setUntil(EpochMicros.timestamp(service.until()))));
    return message.build();
  }

  static Payment payment(StoredPayment payment) {
    boolean isPromotion = payment.purpose().equals(PromotionPaymentHandler.PURPOSE);
    Payment.Builder message =
        Payment.newBuilder()
            .setId(payment.id().text())
            .setStatus(status(payment.status()))
            .setTotal(money(payment.total()))
            .setReason(payment.reason().orElse(""))
            .setCreatedAt(EpochMicros.timestamp(payment.createdAt()));
    if (isPromotion) {
      message.setOfferId(payment.reference());
      payment.lines().stream().map(PaymentLine::label).forEach(message::addServices);
    }
    if (payment.refunded() > 0) {
      message.setRefunded(
          Money.newBuilder().setAmount(payment.refunded()).setCurrency(payment.total().currency()));
    }
    return message.build();
  }

  /// A payment whose refund the provider has not confirmed is shown as PAID, with the reason.
  private static Payment.Status status(PaymentStatus status) {
    return switch (status) {
      case PENDING -> Payment.Status.PENDING;
      case DECLINED -> Payment.Status.DECLINED;
      case PAID, REFUND_DUE -> Payment.Status.PAID;
      case APPLIED -> Payment.Status.APPLIED;
      case REFUNDED -> Payment.Status.REFUNDED;
    };
  }

  static Money money(dev.torg.platform.Money money) {
    return Money.newBuilder().setAmount(money.amount()).setCurrency(money.currency()).build();
  }
}
