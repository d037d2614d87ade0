package dev.torg.bench.promotions;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import dev.torg.api.v1.PaymentCheckout;
import dev.torg.bench.process.ApiClient;
import dev.torg.platform.webhook.WebhookSignature;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/// The payment provider: calls a webhook for each payment, a number of calls in flight.
final class WebhookSender {
  private final WebClient client;
  private final String path;
  private final WebhookSignature signature = new WebhookSignature(PromotionsServer.SECRET);

  WebhookSender(String address, String path) {
    this.client = WebClient.of(address);
    this.path = path;
  }

  /// Returns after all calls were acknowledged.
  void sendAll(int from, int to, int callers, IntFunction<PaymentCheckout> payments) {
    AtomicInteger next = new AtomicInteger(from);
    CompletableFuture<?>[] chains = new CompletableFuture<?>[callers];
    for (int i = 0; i < callers; i++) {
      chains[i] = chain(next, to, payments);
    }
    CompletableFuture.allOf(chains).join();
  }

  private CompletableFuture<?> chain(
      AtomicInteger next, int to, IntFunction<PaymentCheckout> payments) {
    int index = next.getAndIncrement();
    return index >= to
        ? CompletableFuture.completedFuture(null)
        : send(payments.apply(index)).thenComposeAsync(_ -> chain(next, to, payments));
  }

  private CompletableFuture<AggregatedHttpResponse> send(PaymentCheckout payment) {
    String event = "sandbox_" + payment.getPaymentId() + "_1";
    Instant now = Instant.now();
    ObjectNode body =
        ApiClient.JSON
            .createObjectNode()
            .put("id", event)
            .put("type", "payment.paid")
            .put("createdAt", now.toString());
    body.putObject("payment")
        .put("id", payment.getPaymentId())
        .put("reference", "sandbox_" + payment.getPaymentId())
        .put("amount", payment.getTotal().getAmount())
        .put("currency", payment.getTotal().getCurrency());
    String text = body.toString();
    RequestHeaders headers =
        RequestHeaders.builder(HttpMethod.POST, path)
            .contentType(MediaType.JSON_UTF_8)
            .set(WebhookSignature.ID_HEADER, event)
            .set(WebhookSignature.TIMESTAMP_HEADER, Long.toString(now.getEpochSecond()))
            .set(WebhookSignature.SIGNATURE_HEADER, signature.sign(event, now, text))
            .build();
    return client
        .execute(HttpRequest.of(headers, HttpData.ofUtf8(text)))
        .aggregate()
        .thenApply(WebhookSender::requireOk);
  }

  private static AggregatedHttpResponse requireOk(AggregatedHttpResponse response) {
    if (!response.status().isSuccess()) {
      throw new IllegalStateException(
          "a webhook was refused: " + response.status() + " " + response.contentUtf8());
    }
    return response;
  }
}
