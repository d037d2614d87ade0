package dev.torg.promotions.payment;

import dev.torg.platform.db.Tx;
import dev.torg.promotions.PaymentHandler;
import dev.torg.promotions.PaymentHandler.Delivery;
import dev.torg.promotions.PaymentId;
import dev.torg.promotions.PaymentOutcome;
import dev.torg.promotions.StoredPayment;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The handlers of all purposes. A payment whose purpose has none in this installation stays PAID.
public final class PaymentHandlers {
  private final Map<String, PaymentHandler> byPurpose = new TreeMap<>();

  public PaymentHandlers(List<PaymentHandler> handlers) {
    handlers.forEach(handler -> byPurpose.put(handler.purpose(), handler));
  }

  /// Prepares the delivery of payments of any purpose. Blocks.
  Delivery prepare(Collection<StoredPayment> payments) {
    Map<String, List<StoredPayment>> groups = byPurpose(payments);
    Map<String, Delivery> deliveries = new TreeMap<>();
    groups.forEach(
        (purpose, ofPurpose) -> {
          PaymentHandler handler = byPurpose.get(purpose);
          if (handler != null) {
            deliveries.put(purpose, handler.prepare(ofPurpose));
          }
        });
    return (tx, paid, now) -> deliver(tx, deliveries, paid, now);
  }

  /// The purposes in the order of their names, so that all transactions lock in one order.
  private Map<PaymentId, PaymentOutcome> deliver(
      Tx tx, Map<String, Delivery> deliveries, List<StoredPayment> paid, Instant now)
      throws SQLException {
    Map<PaymentId, PaymentOutcome> outcomes = new HashMap<>();
    for (Map.Entry<String, List<StoredPayment>> group : byPurpose(paid).entrySet()) {
      Delivery delivery = deliveries.get(group.getKey());
      if (delivery != null) {
        outcomes.putAll(delivery.deliver(tx, group.getValue(), now));
      } else if (byPurpose.containsKey(group.getKey())) {
        throw new IllegalStateException("payments of " + group.getKey() + " were not prepared");
      }
    }
    return outcomes;
  }

  private static Map<String, List<StoredPayment>> byPurpose(Collection<StoredPayment> payments) {
    Map<String, List<StoredPayment>> groups = new TreeMap<>();
    payments.forEach(
        payment -> groups.computeIfAbsent(payment.purpose(), _ -> new ArrayList<>()).add(payment));
    return groups;
  }

  void takeBack(Tx tx, StoredPayment payment, Instant now) throws SQLException {
    PaymentHandler handler = byPurpose.get(payment.purpose());
    if (handler != null) {
      handler.takeBack(tx, payment, now);
    }
  }
}
