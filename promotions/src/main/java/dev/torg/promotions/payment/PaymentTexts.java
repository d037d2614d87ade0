package dev.torg.promotions.payment;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.torg.api.v1.Notification;
import dev.torg.api.v1.OpenAction;
import dev.torg.api.v1.Why;
import dev.torg.platform.Money;
import dev.torg.promotions.PaymentLine;
import dev.torg.promotions.RefundReasons;
import dev.torg.promotions.StoredPayment;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.stream.Collectors;

/// What payers are notified of, in English or Russian.
final class PaymentTexts {
  private static final String RUSSIAN = "ru";

  private final boolean isRussian;
  private final String publicUrl;

  PaymentTexts(String language, String publicUrl) {
    this.isRussian = language.equals(RUSSIAN);
    this.publicUrl = publicUrl;
  }

  Notification of(StoredPayment payment, PaymentNoticeKind kind) {
    return switch (kind) {
      case PAYMENT_APPLIED ->
          notification(
              payment,
              kind,
              select("Your payment was received: ", "Платёж получен: ") + labels(payment),
              payment.description());
      case PAYMENT_PARTLY_REFUNDED ->
          notification(
              payment,
              kind,
              select("A part of your payment is returned: ", "Часть платежа возвращается: ")
                  + money(payment, payment.refundDue()),
              reason(payment));
      case PAYMENT_REFUNDED ->
          notification(
              payment,
              kind,
              select("Your payment is returned: ", "Платёж возвращается: ")
                  + money(payment, payment.total().amount()),
              reason(payment));
    };
  }

  private Notification notification(
      StoredPayment payment, PaymentNoticeKind kind, String title, String text) {
    String path = "/my/payments/" + payment.id();
    return Notification.newBuilder()
        .setTitle(title)
        .setText(text)
        .setAction(path)
        .setOpen(open(payment, path))
        .setWhy(
            Why.newBuilder()
                .setKind(kind.name())
                .setId(payment.id().text())
                .setName(payment.description()))
        .build();
  }

  private OpenAction open(StoredPayment payment, String path) {
    OpenAction.Builder action =
        OpenAction.newBuilder()
            .setWeb(publicUrl + path)
            .setType("payment")
            .setPayload(
                Value.newBuilder()
                    .setStructValue(
                        Struct.newBuilder()
                            .putFields(
                                "paymentId",
                                Value.newBuilder().setStringValue(payment.id().text()).build())));
    if (!publicUrl.isEmpty()) {
      action.setAndroid(publicUrl + path).setIos(publicUrl + path);
    }
    return action.build();
  }

  private static String labels(StoredPayment payment) {
    return payment.lines().stream().map(PaymentLine::label).collect(Collectors.joining(", "));
  }

  private String reason(StoredPayment payment) {
    String reason = payment.reason().orElse("");
    return isRussian ? RefundReasons.russian(reason) : reason;
  }

  private static String money(StoredPayment payment, long amount) {
    Money total = payment.total();
    int digits = Currency.getInstance(total.currency()).getDefaultFractionDigits();
    return BigDecimal.valueOf(amount, digits).toPlainString() + " " + total.currency();
  }

  private String select(String english, String russian) {
    return isRussian ? russian : english;
  }
}
