package dev.torg.promotions.provider.stripe;

import com.stripe.exception.StripeException;
import dev.torg.platform.Failure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs calls of Stripe and translates what they throw. What Stripe reports goes to the log, not to the caller.
final class StripeFailures {
  private static final Logger LOG = LoggerFactory.getLogger(StripeFailures.class);

  private static final int BAD_REQUEST = 400;
  private static final int UNAUTHORIZED = 401;
  private static final int PAYMENT_REQUIRED = 402;
  private static final int FORBIDDEN = 403;
  static final int NOT_FOUND = 404;

  private StripeFailures() {}

  @FunctionalInterface
  interface StripeCall<T> {
    T run() throws StripeException;
  }

  /// @throws Failure INVALID if Stripe refused the request, UNAVAILABLE if it may succeed later
  static <T> T call(StripeCall<T> call) {
    try {
      return callOrThrow(call);
    } catch (StripeException e) {
      throw failure(e);
    }
  }

  /// As [#call], for calls of which Stripe's own exceptions are examined. The library also throws unchecked exceptions,
  /// at responses that are not Stripe's, such as those of a proxy.
  static <T> T callOrThrow(StripeCall<T> call) throws StripeException {
    try {
      return call.run();
    } catch (RuntimeException e) {
      throw unavailable(e);
    }
  }

  static Failure failure(StripeException e) {
    return switch (status(e)) {
      case BAD_REQUEST, PAYMENT_REQUIRED, NOT_FOUND -> refused(e);
      case UNAUTHORIZED, FORBIDDEN -> misconfigured(e);
      default -> unavailable(e);
    };
  }

  /// Zero if there was no response.
  static int status(StripeException e) {
    Integer status = e.getStatusCode();
    return status == null ? 0 : status;
  }

  private static Failure refused(StripeException e) {
    LOG.warn("Stripe refused a request: {}", e.getMessage());
    return Failure.of(
        Failure.Kind.INVALID, "payment-provider.refused", "the payment provider refused it");
  }

  private static Failure misconfigured(StripeException e) {
    LOG.error("Stripe does not accept the setting stripe-key: {}", e.getMessage());
    return unavailable(e);
  }

  private static Failure unavailable(Exception e) {
    return Failure.unavailable(
        "payment-provider.unavailable", "the payment provider did not answer", e);
  }
}
