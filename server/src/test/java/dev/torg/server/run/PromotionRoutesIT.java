package dev.torg.server.run;

import static dev.torg.server.run.TestTorg.list;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.torg.platform.Caller.Role;
import dev.torg.server.config.Setting;
import dev.torg.server.run.TestTorg.HttpReply;
import dev.torg.server.run.TestTorg.TestUser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every path of promotions, payments, balances and intents, through the sandbox, topics and jobs.
@Tag(TestTorg.OWN)
class PromotionRoutesIT {
  @RegisterExtension
  static final TestTorg TORG =
      new TestTorg(
          Map.of(
              Setting.PAYMENT_PROVIDER,
              "sandbox",
              Setting.SANDBOX_WEBHOOK_REPEATS,
              "3",
              Setting.PORT,
              freePort()));

  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final String UNKNOWN_PAYMENT = "000aaaaaaaaaaaaaaaaaaaaaaaaaa";

  private final TestUser seller = TORG.user();
  private final TestUser other = TORG.user();
  private final TestUser admin = TORG.withRole("user:root", Role.ADMIN);

  /// The sandbox calls the server's own address, which must be known before the server starts.
  private static String freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return Integer.toString(socket.getLocalPort());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private HttpReply quote(TestUser user, String offer, String... services) {
    return TORG.get(
        user,
        "/v1/offers/"
            + offer
            + "/promotions:quote?"
            + String.join("&", Stream.of(services).map(name -> "service=" + name).toList()));
  }

  private HttpReply purchase(TestUser user, String offer, String token, String key) {
    return TORG.post(
        user,
        "/v1/promotions:purchase",
        "{\"offerId\":\"%s\",\"quoteToken\":\"%s\",\"idempotencyKey\":\"%s\"}"
            .formatted(offer, token, key));
  }

  private String buy(String offer, String key, String... services) {
    String token = quote(seller, offer, services).ok().text("quoteToken");
    return purchase(seller, offer, token, key).ok().text("paymentId");
  }

  private static HttpReply act(String payment, String verb) {
    return TORG.post(TestTorg.unauthenticated(), "/sandbox/payments/" + payment + ":" + verb, "");
  }

  private void awaitStatus(TestUser user, String payment, String status) {
    await()
        .atMost(TIMEOUT)
        .untilAsserted(
            () ->
                assertThat(TORG.get(user, "/v1/payments/" + payment).ok().text("status"))
                    .isEqualTo(status));
  }

  private static List<String> active(String offer) {
    return TORG.get(TestTorg.unauthenticated(), "/v1/offers/" + offer + "/promotions")
        .ok()
        .texts("promotions", "service");
  }

  @Test
  void payment_fromQuoteToActiveServices() throws Exception {
    String offer = TORG.publish(seller, "Camera");
    HttpReply quote = quote(seller, offer, "raise", "premium").ok();
    assertThat(quote.texts("lines", "service")).containsExactly("raise", "premium");
    assertThat(Instant.parse(quote.text("expiresAt"))).isAfter(Instant.now());
    HttpReply purchase = purchase(seller, offer, quote.text("quoteToken"), "k1").ok();
    String payment = purchase.text("paymentId");
    assertThat(purchase.body().path("total")).isEqualTo(quote.body().path("total"));
    assertThat(purchase.text("paymentUrl")).endsWith("/sandbox/payments/" + payment);
    assertThat(purchase(seller, offer, quote.text("quoteToken"), "k1").ok().body())
        .isEqualTo(purchase.body());
    HttpReply pending = TORG.get(seller, "/v1/payments/" + payment).ok();
    assertThat(pending.text("status")).isEqualTo("PENDING");
    assertThat(pending.text("offerId")).isEqualTo(offer);
    assertThat(page(payment)).contains("raise", "premium");
    assertThat(act(payment, "pay").ok().text("status")).isEqualTo("PAID");
    awaitStatus(seller, payment, "APPLIED");
    assertThat(active(offer)).containsExactly("premium", "raise");
    quote(seller, offer, "premium").failed(409, "promotion.active");
    quote(seller, offer, "turbo").failed(409, "promotion.active");
    assertThat(purchase(seller, offer, quote.text("quoteToken"), "k1").ok().text("paymentId"))
        .isEqualTo(payment);
    assertThat(
            TORG.post(
                    TestTorg.unauthenticated(),
                    "/v1/promotions:active",
                    list("offerIds", List.of(offer, TORG.publish(seller, "Plain"))))
                .ok()
                .texts("offers", "offerId"))
        .containsExactly(offer);
    assertThat(TORG.get(seller, "/v1/payments").ok().texts("payments", "id"))
        .containsExactly(payment);
    assertThat(
            TORG.get(seller, "/v1/notifications?topic=promotions")
                .ok()
                .texts("notifications", "title"))
        .hasSize(1);
    await()
        .atMost(TIMEOUT)
        .untilAsserted(
            () ->
                assertThat(TORG.get(seller, "/v1/offers/" + offer).ok().body().path("promotions"))
                    .hasSize(2));
  }

  private static String page(String payment) throws Exception {
    return TORG.client()
        .send(
            HttpRequest.newBuilder(TORG.uri("/sandbox/payments/" + payment)).build(),
            BodyHandlers.ofString())
        .body();
  }

  @Test
  void declinedPayment_appliesNothing_andCanBePaidAfterwards() {
    String offer = TORG.publish(seller, "Camera");
    String payment = buy(offer, "k", "highlight");
    assertThat(act(payment, "decline").ok().text("status")).isEqualTo("DECLINED");
    awaitStatus(seller, payment, "DECLINED");
    assertThat(active(offer)).isEmpty();
    assertThat(act(payment, "pay").ok().text("status")).isEqualTo("PAID");
    awaitStatus(seller, payment, "APPLIED");
    assertThat(active(offer)).containsExactly("highlight");
  }

  @Test
  void secondPaymentForAService_isRefunded_andTheSellerNotified() {
    String offer = TORG.publish(seller, "Camera");
    String one = buy(offer, "one", "turbo");
    String two = buy(offer, "two", "premium");
    var _ = act(one, "pay").ok();
    awaitStatus(seller, one, "APPLIED");
    assertThat(active(offer)).contains("turbo", "raise", "highlight", "premium");
    var _ = act(two, "pay").ok();
    awaitStatus(seller, two, "REFUNDED");
    assertThat(TORG.get(seller, "/v1/payments/" + two).ok().text("reason")).isNotEmpty();
    assertThat(
            TORG.get(seller, "/v1/notifications?topic=payments")
                .ok()
                .texts("notifications", "title"))
        .hasSize(1);
  }

  @Test
  void ban_endsTheServices_andARefundByAnAdminReturnsTheMoney() {
    String offer = TORG.publish(seller, "Camera");
    String payment = buy(offer, "k", "premium");
    var _ = act(payment, "pay").ok();
    awaitStatus(seller, payment, "APPLIED");
    var _ =
        TORG.post(
                TORG.moderator(),
                "/v1/offers/" + offer + "/opinions",
                "{\"opinion\":{\"verdict\":\"BAN\",\"reasons\":[\"stolen\"]}}")
            .ok();
    await().atMost(TIMEOUT).untilAsserted(() -> assertThat(active(offer)).isEmpty());
    quote(seller, offer, "premium").failed(409, "promotion.offer-not-active");
    TORG.post(seller, "/v1/payments/" + payment + ":refund", "{}").failed(403, "role.missing");
    TORG.post(admin, "/v1/payments/" + UNKNOWN_PAYMENT + ":refund", "{}")
        .failed(404, "payment.not-found");
    assertThat(
            TORG.post(admin, "/v1/payments/" + payment + ":refund", "{\"reason\":\"sorry\"}")
                .ok()
                .text("reason"))
        .isEqualTo("sorry");
    awaitStatus(seller, payment, "REFUNDED");
    assertThat(
            TORG.get(seller, "/v1/payments/" + payment)
                .ok()
                .body()
                .at("/refunded/currency")
                .asText())
        .isEqualTo("EUR");
  }

  @Test
  void quote_refusesWhatCannotBeBought() {
    String offer = TORG.publish(seller, "Camera");
    quote(seller, offer).failed(400, "promotion.service-missing");
    quote(seller, offer, "gold").failed(400, "promotion.service-unknown");
    quote(seller, offer, "turbo", "raise").failed(400, "promotion.services-overlap");
    quote(other, offer, "raise").failed(403, "offer.not-yours");
    quote(seller, "0000000000000000", "raise").failed(404, "offer.not-found");
    quote(seller, "12", "raise").failed(400, "offer-id.malformed");
    var _ = TORG.post(seller, "/v1/offers/" + offer + ":withdraw", "{}").ok();
    quote(seller, offer, "raise").failed(409, "promotion.offer-not-active");
  }

  @Test
  void purchase_refusesForgedAndForeignQuotes() {
    String offer = TORG.publish(seller, "Camera");
    String second = TORG.publish(seller, "Lens");
    String token = quote(seller, offer, "raise").ok().text("quoteToken");
    purchase(seller, offer, token.substring(1), "k").failed(400, "quote.invalid");
    purchase(seller, offer, "x" + token, "k").failed(400, "quote.invalid");
    purchase(seller, second, token, "k").failed(400, "quote.other-offer");
    purchase(other, offer, token, "k").failed(403, "quote.not-yours");
    purchase(seller, offer, token, "").failed(400, "payment.key-missing");
    var _ = purchase(seller, offer, token, "k").ok();
    String another = quote(seller, offer, "highlight").ok().text("quoteToken");
    purchase(seller, offer, another, "k").failed(409, "idempotency-key.reused");
  }

  @Test
  void purchase_sameKeyWithANewQuoteOfTheSameServices_isTheSamePayment() {
    String offer = TORG.publish(seller, "Tripod");
    String first = quote(seller, offer, "raise").ok().text("quoteToken");
    String second = quote(seller, offer, "raise").ok().text("quoteToken");
    assertThat(second).isNotEqualTo(first);
    String payment = purchase(seller, offer, first, "k2").ok().text("paymentId");
    assertThat(purchase(seller, offer, second, "k2").ok().text("paymentId")).isEqualTo(payment);
  }

  @Test
  void webhook_withoutAValidSignature_isRefused() {
    TestUser nobody = TestTorg.unauthenticated();
    TORG.post(nobody, "/v1/payments/webhook", "{}").failed(401, "webhook.signature-invalid");
    Map<String, String> forged =
        Map.of(
            "webhook-id", "1",
            "webhook-timestamp", Long.toString(Instant.now().getEpochSecond()),
            "webhook-signature", "v1,AAAA");
    TORG.send(nobody, "POST", "/v1/payments/webhook", "{}", forged)
        .failed(401, "webhook.signature-invalid");
    TORG.post(nobody, "/v1/payments/webhook", "x".repeat(300_000)).failed(400, "webhook.too-large");
  }

  @Test
  void payments_areVisibleToTheirSellerAndAdmins() {
    String offer = TORG.publish(seller, "Camera");
    String payment = buy(offer, "k", "raise");
    TORG.get(other, "/v1/payments/" + payment).failed(404, "payment.not-found");
    assertThat(TORG.get(other, "/v1/payments").ok().texts("payments", "id")).isEmpty();
    assertThat(TORG.get(admin, "/v1/payments/" + payment).ok().text("id")).isEqualTo(payment);
    TORG.get(seller, "/v1/payments/x").failed(400, "payment-id.malformed");
    TORG.get(seller, "/v1/payments?pageSize=501").failed(400, "page.size");
    TORG.get(seller, "/v1/payments?pageToken=x").failed(400, "page.token");
  }

  @Test
  void balance_isToppedUp_andPaysForAnIntent() {
    HttpReply topUp =
        TORG.post(
                seller,
                "/v1/sellers/me/balance:topUp",
                "{\"amount\":{\"amount\":\"100000\",\"currency\":\"EUR\"},\"idempotencyKey\":\"t\"}")
            .ok();
    var _ = act(topUp.text("paymentId"), "pay").ok();
    awaitStatus(seller, topUp.text("paymentId"), "APPLIED");
    assertThat(TORG.get(seller, "/v1/sellers/me/balance").ok().texts("balances", "amount"))
        .containsExactly("100000");
    var _ =
        TORG.put(seller, "/v1/sellers/me/promotionIntents/a1", list("services", List.of("premium")))
            .ok();
    String offer =
        TORG.post(
                seller,
                "/v1/offers",
                "{\"offer\":{\"category\":\"electronics\",\"title\":\"A phone\",\"externalId\":\"a1\"}}")
            .ok()
            .text("id");
    await()
        .atMost(TIMEOUT)
        .untilAsserted(() -> assertThat(active(offer)).containsExactly("premium"));
    assertThat(TORG.get(seller, "/v1/sellers/me/ledger").ok().texts("entries", "kind"))
        .containsExactly("CHARGE", "TOP_UP");
    assertThat(TORG.get(seller, "/v1/sellers/me/promotionIntents/a1").ok().text("state"))
        .isEqualTo("APPLIED");
    var _ = TORG.delete(seller, "/v1/sellers/me/promotionIntents/a1").ok();
    TORG.get(seller, "/v1/sellers/me/promotionIntents/a1")
        .failed(404, "promotion-intent.not-found");
  }

  @Test
  void balancesAndIntentsOfOthers_areHidden() {
    String path = "/v1/sellers/" + seller.subject();
    TORG.get(other, path + "/balance").failed(403, "seller.not-you");
    TORG.get(other, path + "/ledger").failed(403, "seller.not-you");
    TORG.post(
            other,
            path + "/balance:topUp",
            "{\"amount\":{\"amount\":\"1\",\"currency\":\"EUR\"},\"idempotencyKey\":\"t\"}")
        .failed(403, "seller.not-you");
    TORG.put(other, path + "/promotionIntents/a", list("services", List.of("raise")))
        .failed(403, "seller.not-you");
    var _ = TORG.get(admin, path + "/balance").ok();
    TORG.post(
            seller,
            "/v1/sellers/me/balance:topUp",
            "{\"amount\":{\"amount\":\"0\",\"currency\":\"EUR\"},\"idempotencyKey\":\"t\"}")
        .failed(400, "balance.amount");
  }

  private record Call(String method, String path) {}

  static Stream<Call> callsWithToken() {
    return Stream.of(
        new Call("GET", "/v1/offers/0000000000000000/promotions:quote?service=raise"),
        new Call("POST", "/v1/promotions:purchase"),
        new Call("GET", "/v1/payments"),
        new Call("GET", "/v1/payments/" + UNKNOWN_PAYMENT),
        new Call("GET", "/v1/sellers/me/balance"),
        new Call("GET", "/v1/sellers/me/ledger"),
        new Call("POST", "/v1/sellers/me/balance:topUp"),
        new Call("PUT", "/v1/sellers/me/promotionIntents/a"),
        new Call("GET", "/v1/sellers/me/promotionIntents/a"),
        new Call("DELETE", "/v1/sellers/me/promotionIntents/a"));
  }

  @ParameterizedTest
  @MethodSource("callsWithToken")
  void call_withoutAToken_orWithAnAnonymousOne_isUnauthenticated(Call call) {
    String body = call.method().equals("GET") || call.method().equals("DELETE") ? "" : "{}";
    TORG.send(TestTorg.unauthenticated(), call.method(), call.path(), body, Map.of())
        .failed(401, "token.missing");
    TORG.send(TORG.anonymous(), call.method(), call.path(), body, Map.of())
        .failed(401, "login.required");
  }

  @Test
  void refund_isForAdminsOnly() {
    String path = "/v1/payments/" + UNKNOWN_PAYMENT + ":refund";
    TORG.post(TestTorg.unauthenticated(), path, "{}").failed(401, "token.missing");
    Stream.of(TORG.anonymous(), seller, TORG.moderator(), TORG.service())
        .forEach(user -> TORG.post(user, path, "{}").failed(403, "role.missing"));
    TORG.post(admin, path, "{}").failed(404, "payment.not-found");
  }

  @Test
  void publicCalls_needNoToken() {
    TestUser nobody = TestTorg.unauthenticated();
    assertThat(active("0000000000000000")).isEmpty();
    TORG.post(nobody, "/v1/promotions:active", list("offerIds", List.of("12")))
        .failed(400, "offer-id.malformed");
    TORG.post(
            nobody,
            "/v1/promotions:active",
            list("offerIds", java.util.Collections.nCopies(501, "0000000000000000")))
        .failed(400, "batch.size");
    act(UNKNOWN_PAYMENT, "pay").failed(404, "sandbox-payment.not-found");
  }
}
