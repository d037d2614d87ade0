package dev.torg.server.sandbox;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.torg.api.v1.CallerKind;
import dev.torg.platform.Failure;
import dev.torg.promotions.PaymentId;
import dev.torg.promotions.SandboxCheckout;
import dev.torg.promotions.SandboxCheckouts;
import dev.torg.server.route.HttpRoute;
import dev.torg.server.route.RouteDoc;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// `GET /sandbox/payments/{id}`, the page of a payment, and what its buttons send: `POST …:pay` and `POST …:decline`. No
/// token is needed, as on the page of any payment provider: the id of the payment cannot be guessed.
///
/// The buttons work without scripts: a browser is redirected to the page, other clients receive `{status}`.
public final class SandboxPaymentRoutes {
  private static final String PAGES = "/sandbox/payments/";

  /// Of a POST with the verb: the two have one address in the OpenAPI document.
  private static final String PAYMENT = "payment";

  private static final String CONTENT_SECURITY_POLICY =
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

  private static final RouteDoc GET =
      RouteDoc.of("showSandboxPayment", "Payments", "Shows the page of a payment in the sandbox")
          .describedAs("A page with buttons that pay or decline. Nothing is changed.")
          .returning("text/html")
          .failingWith("sandbox.disabled", "sandbox-payment.not-found");

  private static final RouteDoc POST =
      RouteDoc.of("actInSandbox", "Payments", "Pays or declines a payment in the sandbox")
          .describedAs(
              "The last part of the address is the id of the payment followed by `:pay` or `:decline`. Returns `{status}`:"
                  + " PENDING, DECLINED, PAID or REFUNDED; a browser is redirected to the page. A payment that is"
                  + " paid stays paid. One that was declined can still be paid.")
          .returning("application/json")
          .failingWith("sandbox.disabled", "sandbox-payment.not-found");

  private final Optional<SandboxCheckouts> sandbox;

  /// @param sandbox empty if another provider takes the money
  public SandboxPaymentRoutes(Optional<SandboxCheckouts> sandbox) {
    this.sandbox = sandbox;
  }

  public List<HttpRoute> routes() {
    return List.of(
        new HttpRoute(
            HttpMethod.GET,
            PAGES + "{" + PAYMENT + "}",
            List.of(CallerKind.ANYONE),
            GET,
            (ctx, _) -> show(ctx)),
        new HttpRoute(
            HttpMethod.POST,
            PAGES + "{" + PAYMENT + "}",
            List.of(CallerKind.ANYONE),
            POST,
            this::act));
  }

  private HttpResponse show(ServiceRequestContext ctx) {
    PaymentId id = id(String.valueOf(ctx.pathParam(PAYMENT)));
    return HttpResponse.of(
        CompletableFuture.supplyAsync(
            () -> html(checkouts().find(id).orElseThrow(SandboxPaymentRoutes::notFound)),
            ctx.blockingTaskExecutor()));
  }

  /// The body of a form has nothing of interest.
  private HttpResponse act(ServiceRequestContext ctx, HttpRequest request) {
    String target = String.valueOf(ctx.pathParam(PAYMENT));
    int colon = target.indexOf(':');
    PaymentId id = id(colon < 0 ? "" : target.substring(0, colon));
    String verb = target.substring(colon + 1);
    return HttpResponse.of(
        request
            .aggregate()
            .thenApplyAsync(_ -> respond(request, act(id, verb)), ctx.blockingTaskExecutor()));
  }

  private SandboxCheckout act(PaymentId id, String verb) {
    return switch (verb) {
      case "pay" -> checkouts().pay(id);
      case "decline" -> checkouts().decline(id);
      default -> throw notFound();
    };
  }

  private SandboxCheckouts checkouts() {
    return sandbox.orElseThrow(
        () ->
            Failure.forbidden("sandbox.disabled", "the sandbox is not the payment provider here"));
  }

  private static PaymentId id(String text) {
    if (!PaymentId.isValid(text)) {
      throw notFound();
    }
    return new PaymentId(text);
  }

  private static Failure notFound() {
    return Failure.notFound("sandbox-payment.not-found", "the sandbox has no such payment");
  }

  private static HttpResponse respond(HttpRequest request, SandboxCheckout checkout) {
    return request.headers().get(HttpHeaderNames.ACCEPT, "").contains("text/html")
        ? HttpResponse.of(
            ResponseHeaders.builder(HttpStatus.SEE_OTHER)
                .set(HttpHeaderNames.LOCATION, PAGES + checkout.id())
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .build())
        : json(checkout);
  }

  private static HttpResponse json(SandboxCheckout checkout) {
    String body =
        JsonNodeFactory.instance.objectNode().put("status", checkout.status().name()).toString();
    return HttpResponse.of(headers(MediaType.JSON).build(), HttpData.ofUtf8(body));
  }

  private static HttpResponse html(SandboxCheckout checkout) {
    return HttpResponse.of(
        headers(MediaType.HTML_UTF_8)
            .set(HttpHeaderNames.CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY)
            .set(HttpHeaderNames.REFERRER_POLICY, "no-referrer")
            .build(),
        HttpData.ofUtf8(SandboxPaymentPage.render(checkout)));
  }

  /// The address of the page is what allows to pay, so nothing may keep or pass it on.
  private static ResponseHeadersBuilder headers(MediaType type) {
    return ResponseHeaders.builder(HttpStatus.OK)
        .contentType(type)
        .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
        .set(HttpHeaderNames.X_CONTENT_TYPE_OPTIONS, "nosniff");
  }
}
