package dev.torg.promotions.payment;

import com.google.protobuf.ByteString;
import dev.torg.platform.Failure;
import dev.torg.platform.coalesce.CoalescerSettings;
import dev.torg.platform.coalesce.WriteCoalescer;
import dev.torg.platform.db.Database;
import dev.torg.promotions.PaymentWebhooks;
import dev.torg.promotions.provider.PaymentProvider;
import dev.torg.promotions.provider.WebhookEvent;
import dev.torg.promotions.provider.WebhookRequest;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Accepts the provider's webhooks: verified, stored, acknowledged, then processed.
public final class WebhookService implements PaymentWebhooks, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WebhookService.class);
  private static final int WRITERS = 2;

  private final PaymentProvider provider;
  private final InstantSource clock;
  private final PaymentMetrics metrics;
  private final WriteCoalescer<ReceivedWebhook, Boolean> writer;
  private final ReportQueue queue;

  WebhookService(
      Database database,
      PaymentProvider provider,
      PaymentProcessor processor,
      PaymentMetrics metrics,
      InstantSource clock,
      MeterRegistry registry) {
    this.provider = provider;
    this.clock = clock;
    this.metrics = metrics;
    this.writer =
        new WriteCoalescer<>(
            CoalescerSettings.of("payments.webhooks", database, WRITERS),
            database,
            new WebhookInsertHandler(),
            registry);
    this.queue = new ReportQueue(processor);
  }

  @Override
  public CompletableFuture<Void> accept(Map<String, String> headers, ByteString body) {
    WebhookEvent event;
    Instant now = clock.instant();
    try {
      event = provider.verify(new WebhookRequest(headers, body), now);
    } catch (Failure failure) {
      LOG.warn("a webhook was refused: {} {}", failure.code(), failure.getMessage());
      metrics.refused();
      return CompletableFuture.failedFuture(failure);
    }
    if (event.kind() == WebhookEvent.Kind.OTHER) {
      return CompletableFuture.completedFuture(null);
    }
    ReceivedWebhook webhook = ReceivedWebhook.of(provider.name(), event, body, now);
    return writer.submit(webhook).thenAccept(isNew -> stored(webhook, event, isNew));
  }

  private void stored(ReceivedWebhook webhook, WebhookEvent event, boolean isNew) {
    metrics.received(isNew);
    if (isNew) {
      webhook.report(event).ifPresent(queue::add);
    }
  }

  /// Stores what was accepted; what is not processed yet is left to a job.
  @Override
  public void close() {
    writer.close();
    queue.close();
  }
}
