package dev.torg.promotions.payment;

import dev.torg.platform.Money;
import dev.torg.promotions.NewPayment;
import dev.torg.promotions.PaymentLine;
import dev.torg.promotions.ServiceTerm;
import dev.torg.promotions.stored.PaymentBody;
import dev.torg.promotions.stored.PaymentLineBody;
import dev.torg.promotions.stored.ServiceTermBody;
import java.time.Duration;
import java.util.List;

/// The stored form of a payment's lines.
final class PaymentBodies {
  private PaymentBodies() {}

  static PaymentBody encode(NewPayment payment) {
    PaymentBody.Builder body = PaymentBody.newBuilder().setDescription(payment.description());
    payment.lines().forEach(line -> body.addLines(encode(line)));
    return body.build();
  }

  private static PaymentLineBody encode(PaymentLine line) {
    PaymentLineBody.Builder body =
        PaymentLineBody.newBuilder().setLabel(line.label()).setAmount(line.amount().amount());
    line.services()
        .forEach(
            term ->
                body.addServices(
                    ServiceTermBody.newBuilder()
                        .setService(term.service())
                        .setDurationSeconds(term.duration().toSeconds())
                        .setExtendable(term.extendable())));
    return body.build();
  }

  static List<PaymentLine> lines(PaymentBody body, String currency) {
    return body.getLinesList().stream()
        .map(
            line ->
                new PaymentLine(
                    line.getLabel(),
                    new Money(line.getAmount(), currency),
                    line.getServicesList().stream().map(PaymentBodies::term).toList()))
        .toList();
  }

  private static ServiceTerm term(ServiceTermBody body) {
    return new ServiceTerm(
        body.getService(), Duration.ofSeconds(body.getDurationSeconds()), body.getExtendable());
  }
}
