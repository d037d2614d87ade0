package dev.torg.alerts.backfill;

import dev.torg.favorites.SubscriptionBackfills;
import dev.torg.offers.ActivatedPage;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/// Metrics of backfills.
final class BackfillMetrics {
  private final Counter subscriptions;
  private final Counter scanned;
  private final Counter analysed;
  private final Counter unreadable;

  BackfillMetrics(SubscriptionBackfills backfills, MeterRegistry registry) {
    Gauge.builder("torg.alerts.backfill.waiting", backfills, SubscriptionBackfills::count)
        .description("New subscriptions whose backfill is waiting")
        .strongReference(true)
        .register(registry);
    subscriptions =
        Counter.builder("torg.alerts.backfill.subscriptions")
            .description("New subscriptions whose backfill is complete")
            .register(registry);
    scanned =
        Counter.builder("torg.alerts.backfill.offers.scanned")
            .description("Offers read for new subscriptions")
            .register(registry);
    analysed =
        Counter.builder("torg.alerts.backfill.offers.analysed")
            .description("Offers among them whose text was analysed")
            .register(registry);
    unreadable =
        Counter.builder("torg.alerts.backfill.offers.unreadable")
            .description("Offers that could not be read or matched and were omitted")
            .register(registry);
  }

  void page(ActivatedPage page) {
    scanned.increment(page.offers().size());
    unreadable.increment(page.unreadable());
  }

  void analysed() {
    analysed.increment();
  }

  void unreadable() {
    unreadable.increment();
  }

  void finished(int rows) {
    subscriptions.increment(rows);
  }
}
