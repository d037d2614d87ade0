package dev.torg.server.payments;

import com.google.protobuf.ByteString;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.torg.api.v1.CallerKind;
import dev.torg.platform.Failure;
import dev.torg.promotions.PaymentWebhooks;
import dev.torg.server.route.HttpRoute;
import dev.torg.server.route.RouteDoc;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// `POST /v1/payments/webhook`: signed by the payment provider, without a token. It is acknowledged when it is stored.
public final class WebhookRoute {
  private static final RouteDoc DOC =
      RouteDoc.of("receivePaymentWebhook", "Payments", "Receives an event of the payment provider")
          .describedAs(
              "Called by the payment provider, which signs the body; no token is needed. Returns `{}` when the event"
                  + " is stored; it is processed afterwards. Repeated events have no further effect.")
          .accepting("application/json")
          .returning("application/json")
          .failingWith(
              "webhook.signature-invalid",
              "webhook.malformed",
              "webhook.too-large",
              "payment-provider.unconfigured",
              "payments.webhooks.full",
              "payments.webhooks.caller-full");

  private final PaymentWebhooks webhooks;

  public WebhookRoute(PaymentWebhooks webhooks) {
    this.webhooks = webhooks;
  }

  public HttpRoute route() {
    return new HttpRoute(
        HttpMethod.POST, "/v1/payments/webhook", List.of(CallerKind.ANYONE), DOC, this::serve);
  }

  /// Verified on a virtual thread, so that the event loop stays free; the rest does not block.
  private HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
    if (request.headers().contentLength() > PaymentWebhooks.MAX_BYTES) {
      throw tooLarge();
    }
    ctx.setMaxRequestLength(PaymentWebhooks.MAX_BYTES + 1L);
    return HttpResponse.of(
        request
            .aggregate()
            .thenComposeAsync(
                body -> webhooks.accept(headers(body), body(body)), ctx.blockingTaskExecutor())
            .thenApply(_ -> HttpResponse.of(HttpStatus.OK, MediaType.JSON_UTF_8, "{}")));
  }

  private static ByteString body(AggregatedHttpRequest request) {
    return ByteString.copyFrom(request.content().array());
  }

  /// Of a header that is given twice, the first value.
  private static Map<String, String> headers(AggregatedHttpRequest request) {
    Map<String, String> headers = new HashMap<>();
    request.headers().forEach((name, value) -> headers.putIfAbsent(name.toString(), value));
    return headers;
  }

  private static Failure tooLarge() {
    return Failure.invalid(
        "webhook.too-large",
        "the webhook is too large",
        "body",
        "must have at most " + PaymentWebhooks.MAX_BYTES + " bytes");
  }
}
