package dev.torg.alerts.fanout;

import dev.torg.favorites.Audiences;
import dev.torg.platform.db.Database;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.InstantSource;

/// Metrics of fan-outs.
public final class FanoutMetrics {
  private final InstantSource clock;
  private final Timer whole;
  private final Counter recipients;
  private final Counter pages;

  public FanoutMetrics(Database database, InstantSource clock, MeterRegistry registry) {
    this.clock = clock;
    this.whole =
        Timer.builder("torg.alerts.fanout")
            .description("From the event to the last page of a large audience")
            .register(registry);
    this.recipients =
        Counter.builder("torg.alerts.fanout.people")
            .description("Recipients in large audiences to whom alerts were sent")
            .register(registry);
    this.pages =
        Counter.builder("torg.alerts.fanout.pages")
            .description("Pages of large audiences that were sent")
            .register(registry);
    FanoutStore store = new FanoutStore();
    Gauge.builder(
            "torg.alerts.fanout.pages.waiting",
            () -> database.read(tx -> store.pagesWaiting(tx, Audiences.PAGE_SIZE)))
        .description("Pages of large audiences that are still to be sent, in all processes")
        .register(registry);
  }

  void worked(Fanout fanout, FanoutStore.Page page) {
    if (fanout.rule() != Fanout.Audience.WITHDRAWAL) {
      recipients.increment(page.recipients());
      pages.increment();
      if (page.last()) {
        Duration elapsed = Duration.between(fanout.startedAt(), clock.instant());
        whole.record(elapsed.isNegative() ? Duration.ZERO : elapsed);
      }
    }
  }
}
