package dev.torg.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.Money;
import dev.torg.promotions.PaymentId;
import dev.torg.promotions.SandboxCheckout;
import dev.torg.promotions.SandboxCheckout.Status;
import dev.torg.promotions.SandboxCheckouts;
import dev.torg.server.sandbox.SandboxPaymentRoutes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SandboxPaymentPageTest {
  private static final String BROWSER = "text/html,application/xhtml+xml,*/*;q=0.8";

  private final MemorySandbox sandbox = new MemorySandbox();
  private final RunningServer torg = server(Optional.of(sandbox));

  /// A sandbox in memory.
  private static final class MemorySandbox implements SandboxCheckouts {
    private final Map<PaymentId, SandboxCheckout> checkouts = new ConcurrentHashMap<>();

    PaymentId add(Status status, long refunded, String description, String label, String url) {
      String payer = "user:" + checkouts.size();
      PaymentId id = PaymentId.of(Home.of(payer), payer, "PROMOTION", "key");
      Money total = new Money(123_450, "EUR");
      List<SandboxCheckout.Line> lines =
          List.of(
              new SandboxCheckout.Line(label, new Money(123_400, "EUR")),
              new SandboxCheckout.Line("raise", new Money(50, "EUR")));
      checkouts.put(id, new SandboxCheckout(id, status, total, refunded, description, url, lines));
      return id;
    }

    @Override
    public Optional<SandboxCheckout> find(PaymentId id) {
      return Optional.ofNullable(checkouts.get(id));
    }

    @Override
    public SandboxCheckout pay(PaymentId id) {
      return change(id, Status.PAID);
    }

    @Override
    public SandboxCheckout decline(PaymentId id) {
      return change(id, Status.DECLINED);
    }

    private SandboxCheckout change(PaymentId id, Status status) {
      SandboxCheckout old =
          find(id).orElseThrow(() -> Failure.notFound("sandbox-payment.not-found", "unknown"));
      SandboxCheckout changed =
          new SandboxCheckout(
              id,
              status,
              old.total(),
              old.refunded(),
              old.description(),
              old.returnUrl(),
              old.lines());
      checkouts.put(id, changed);
      return changed;
    }
  }

  private static RunningServer server(Optional<SandboxCheckouts> sandbox) {
    return new RunningServer(
        ServerConfig.local(0), new SandboxPaymentRoutes(sandbox).routes(), List.of());
  }

  @AfterEach
  void close() {
    torg.close();
  }

  private PaymentId pending() {
    return sandbox.add(
        Status.PENDING, 0, "VW Golf, one owner", "premium", "https://shop.example/offers/1?a=b&c");
  }

  private static String page(PaymentId id) {
    return "/sandbox/payments/" + id;
  }

  @Test
  void get_pending_hasLinesTotalAndButtons() {
    PaymentId id = pending();
    var reply = torg.get(page(id), "Accept", BROWSER);
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body())
        .contains("VW Golf, one owner", "1,234.00 EUR", "0.50 EUR", "1,234.50 EUR")
        .contains("formaction=\"" + page(id) + ":pay\"", "formaction=\"" + page(id) + ":decline\"")
        .doesNotContain("<script", "shop.example");
    assertThat(reply.response().headers().firstValue("content-security-policy"))
        .hasValueSatisfying(
            policy -> assertThat(policy).contains("default-src 'none'", "frame-ancestors 'none'"));
    assertThat(reply.response().headers().firstValue("cache-control")).contains("no-store");
  }

  @Test
  void get_hostileTexts_areEscaped() {
    PaymentId id =
        sandbox.add(
            Status.PAID,
            0,
            "</p><script>alert(1)</script>",
            "\"><img src=x onerror=alert(2)>%s %1$s",
            "https://shop.example/\"onmouseover=\"alert(3)");
    assertThat(torg.get(page(id)).body())
        .contains("&lt;script&gt;", "&lt;img src=x", "%s %1$s")
        .doesNotContain("<script", "<img", "\"onmouseover");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "javascript:alert(1)", "data:text/html,x", "//evil.example"})
  void get_returnUrlThatIsNoPage_isNotLinked(String url) {
    PaymentId id = sandbox.add(Status.PAID, 0, "Golf", "premium", url);
    assertThat(torg.get(page(id)).body()).doesNotContain("<a ");
  }

  @ParameterizedTest
  @CsvSource({
    "DECLINED, 0, Payment declined, true",
    "PAID, 0, Payment complete, false",
    "PAID, 50, 0.50 EUR of it was refunded, false",
    "REFUNDED, 123450, Payment refunded, false"
  })
  void get_afterwards_showsTheState(Status status, long refunded, String text, boolean payable) {
    PaymentId id = sandbox.add(status, refunded, "Golf", "premium", "https://shop.example/");
    String body = torg.get(page(id)).body();
    assertThat(body).contains(text, "href=\"https://shop.example/\"").doesNotContain(":decline");
    assertThat(body.contains(":pay")).isEqualTo(payable);
  }

  @Test
  void post_withoutToken_returnsTheStatus() {
    PaymentId id = pending();
    var declined = torg.post(page(id) + ":decline", "");
    assertThat(declined.status()).isEqualTo(200);
    assertThat(declined.body()).isEqualTo("{\"status\":\"DECLINED\"}");
    assertThat(torg.post(page(id) + ":pay", "{}").body()).isEqualTo("{\"status\":\"PAID\"}");
  }

  @Test
  void post_ofTheForm_redirectsToThePage() {
    PaymentId id = pending();
    var reply =
        torg.post(
            page(id) + ":pay",
            "",
            "Accept",
            BROWSER,
            "Content-Type",
            "application/x-www-form-urlencoded");
    assertThat(reply.status()).isEqualTo(303);
    assertThat(reply.response().headers().firstValue("location")).contains(page(id));
    assertThat(torg.get(page(id)).body()).contains("Payment complete");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1", "000aaaaaaaaaaaaaaaaaaaaaaaaaa", "256aaaaaaaaaaaaaaaaaaaaaaaaaa", "%3Cb%3E"})
  void anything_unknownPayment_isNotFound(String id) {
    assertThat(torg.get("/sandbox/payments/" + id).status()).isEqualTo(404);
    assertThat(torg.post("/sandbox/payments/" + id + ":pay", "").status()).isEqualTo(404);
    assertThat(torg.post("/sandbox/payments/" + id, "").status()).isEqualTo(404);
  }

  @Test
  void post_unknownVerb_isNotFoundAndChangesNothing() {
    PaymentId id = pending();
    assertThat(torg.post(page(id) + ":refund", "").status()).isEqualTo(404);
    assertThat(sandbox.find(id).orElseThrow().status()).isEqualTo(Status.PENDING);
  }

  @Test
  void anything_anotherProvider_isForbidden() {
    try (RunningServer other = server(Optional.empty())) {
      PaymentId id = pending();
      assertThat(other.get(page(id)).body()).contains("sandbox.disabled");
      assertThat(other.post(page(id) + ":pay", "").status()).isEqualTo(403);
    }
  }
}
