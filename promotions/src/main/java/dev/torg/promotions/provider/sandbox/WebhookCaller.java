package dev.torg.promotions.provider.sandbox;

import dev.torg.platform.webhook.WebhookSignature;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/// Calls the webhook of the installation, as the operator configured it. Follows no redirects and reads no answers.
final class WebhookCaller implements AutoCloseable {
  /// What is known after a call.
  enum Outcome {
    ACCEPTED,
    REFUSED,
    /// Nothing answers there; other calls would fail, too.
    UNREACHABLE
  }

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  private final URI url;
  private final Supplier<List<WebhookSignature>> signatures;
  private final Duration timeout;
  private final InstantSource clock;
  private final HttpClient http;

  WebhookCaller(
      URI url, Supplier<List<WebhookSignature>> signatures, Duration timeout, InstantSource clock) {
    this.url = url;
    this.signatures = signatures;
    this.timeout = timeout;
    this.clock = clock;
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT_TIMEOUT)
            .build();
  }

  /// Waits for the outcome.
  Outcome call(SandboxWebhook webhook) throws InterruptedException {
    try {
      int status = http.send(request(webhook), BodyHandlers.discarding()).statusCode();
      return status / 100 == 2 ? Outcome.ACCEPTED : Outcome.REFUSED;
    } catch (IOException e) {
      return Outcome.UNREACHABLE;
    }
  }

  private HttpRequest request(SandboxWebhook webhook) {
    Instant now = clock.instant();
    String signature = signatures.get().getFirst().sign(webhook.eventId(), now, webhook.body());
    return HttpRequest.newBuilder(url)
        .timeout(timeout)
        .header("content-type", "application/json")
        .header("user-agent", "Torg sandbox")
        .header(WebhookSignature.ID_HEADER, webhook.eventId())
        .header(WebhookSignature.TIMESTAMP_HEADER, Long.toString(now.getEpochSecond()))
        .header(WebhookSignature.SIGNATURE_HEADER, signature)
        .POST(BodyPublishers.ofString(webhook.body()))
        .build();
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
