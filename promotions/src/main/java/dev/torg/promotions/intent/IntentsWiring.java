package dev.torg.promotions.intent;

import dev.torg.notifications.Bell;
import dev.torg.offers.Offers;
import dev.torg.platform.job.JobScheduler;
import dev.torg.platform.kafka.ConsumerBinding;
import dev.torg.platform.module.ModuleContext;
import dev.torg.promotions.apply.PromotionReader;
import dev.torg.promotions.apply.PromotionWriter;
import dev.torg.promotions.ledger.LedgerStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/// Connects the parts of promotion intents.
public final class IntentsWiring {
  private static final Duration BUY_INTERVAL = Duration.ofSeconds(1);
  private static final Duration PURGE_INTERVAL = Duration.ofHours(1);

  private final IntentService service;
  private final IntentOffersConsumer offersConsumer;
  private final FeedIntentsConsumer feedsConsumer;
  private final BuyIntentsJob job;

  /// @param ledger with the retry store as its listener
  public record Dependencies(
      Offers offers,
      PromotionWriter writer,
      PromotionReader reader,
      IntentPrices prices,
      LedgerStore ledger,
      IntentRetryStore retries,
      Bell bell,
      UnpaidNotices notices) {}

  /// @param knownServices that an intent may name
  public IntentsWiring(
      ModuleContext context, Dependencies dependencies, Set<String> knownServices) {
    this.service = new IntentService(context.database(), knownServices, context.clock());
    this.offersConsumer = new IntentOffersConsumer(service);
    this.feedsConsumer = new FeedIntentsConsumer(service);
    this.job =
        new BuyIntentsJob(
            context.database(),
            new IntentReader(
                context.database(),
                dependencies.offers(),
                dependencies.writer(),
                dependencies.reader(),
                dependencies.prices()),
            new IntentBuyer(
                dependencies.writer(),
                dependencies.ledger(),
                dependencies.bell(),
                dependencies.notices()),
            dependencies.retries(),
            context.metrics());
  }

  public IntentService service() {
    return service;
  }

  public BuyIntentsJob job() {
    return job;
  }

  public List<ConsumerBinding> consumers() {
    return List.of(offersConsumer.binding(), feedsConsumer.binding());
  }

  public void schedule(JobScheduler jobs) {
    jobs.every(BUY_INTERVAL, "promotions.intents", job::due, job::run);
    jobs.every(PURGE_INTERVAL, "promotions.intents.purge", job::purge);
  }
}
