package dev.torg.promotions.wiring;

import dev.torg.notifications.Bell;
import dev.torg.notifications.RecipientSettings;
import dev.torg.notifications.TopicChannels;
import dev.torg.offers.Offers;
import dev.torg.platform.Failure;
import dev.torg.platform.Futures;
import dev.torg.platform.db.Database;
import dev.torg.platform.identity.MessageAuthenticator;
import dev.torg.platform.job.JobScheduler;
import dev.torg.platform.kafka.ConsumerBinding;
import dev.torg.platform.kafka.TopicSpec;
import dev.torg.platform.module.ModuleContext;
import dev.torg.promotions.PaymentHandler;
import dev.torg.promotions.PaymentProviderSettings;
import dev.torg.promotions.PaymentWebhooks;
import dev.torg.promotions.Payments;
import dev.torg.promotions.PriceSettings;
import dev.torg.promotions.PromotionTopics;
import dev.torg.promotions.SandboxCheckouts;
import dev.torg.promotions.apply.EndNotices;
import dev.torg.promotions.apply.ExpirePromotionsJob;
import dev.torg.promotions.apply.PromotedOffersConsumer;
import dev.torg.promotions.apply.PromotionPaymentHandler;
import dev.torg.promotions.apply.PromotionReader;
import dev.torg.promotions.apply.PromotionWriter;
import dev.torg.promotions.apply.PurgePromotionsJob;
import dev.torg.promotions.intent.IntentRetryStore;
import dev.torg.promotions.intent.IntentsWiring;
import dev.torg.promotions.intent.SourcePrices;
import dev.torg.promotions.intent.UnpaidNotices;
import dev.torg.promotions.ledger.LedgerReader;
import dev.torg.promotions.ledger.LedgerStore;
import dev.torg.promotions.ledger.TopUpHandler;
import dev.torg.promotions.ledger.TopUpService;
import dev.torg.promotions.payment.PaymentNotices;
import dev.torg.promotions.payment.PaymentParts;
import dev.torg.promotions.price.PriceMatrix;
import dev.torg.promotions.price.PriceSource;
import dev.torg.promotions.price.PriceSources;
import dev.torg.promotions.price.ServiceCatalog;
import dev.torg.promotions.quote.QuoteIssuer;
import dev.torg.promotions.rpc.BalanceRpc;
import dev.torg.promotions.rpc.PaymentRpc;
import dev.torg.promotions.rpc.PromotionIntentRpc;
import dev.torg.promotions.rpc.PromotionRpc;
import dev.torg.promotions.service.PromotionService;
import io.grpc.BindableService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;

/// Builds promotions: the API in every process; consumers and jobs in role jobs.
public final class PromotionsWiring implements AutoCloseable {
  public static final String MIGRATIONS = "promotions";

  public static final List<TopicSpec> TOPICS =
      List.of(new TopicSpec(PromotionTopics.PROMOTIONS, Duration.ofDays(7)));

  /// Methods of [PromotionRpc] that respond by a future.
  public static final Set<String> NON_BLOCKING_METHODS = PromotionRpc.NON_BLOCKING_METHODS;

  private final PriceSource prices;
  private final ProviderWiring provider;
  private final PromotionReader reader;
  private final PaymentParts payments;
  private final ExpirePromotionsJob expire;
  private final PurgePromotionsJob purge;
  private final PromotedOffersConsumer offersConsumer;
  private final BindableService promotionRpc;
  private final IntentsWiring intents;
  private final List<BindableService> balanceRpcs;

  /// @param handlers of purposes of other modules
  /// @param publicUrl the address of this installation without a slash at its end
  public record Dependencies(
      Offers offers,
      Bell bell,
      RecipientSettings settings,
      MessageAuthenticator authenticator,
      List<PaymentHandler> handlers,
      String publicUrl) {
    public Dependencies {
      handlers = List.copyOf(handlers);
    }
  }

  public PromotionsWiring(
      ModuleContext context,
      Dependencies dependencies,
      PriceSettings priceSettings,
      PaymentProviderSettings providerSettings) {
    Database database = context.database();
    PriceMatrix matrix = PriceSources.matrix(priceSettings, dependencies.offers().categories());
    this.prices = PriceSources.source(priceSettings, matrix, context.metrics());
    this.provider = new ProviderWiring(context, providerSettings, dependencies.authenticator());
    PromotionWriter writer = new PromotionWriter(context.outbox(), context.clock());
    this.reader = new PromotionReader(database, context.clock(), context.metrics());
    IntentRetryStore retries = new IntentRetryStore();
    LedgerStore ledger = new LedgerStore(retries);
    this.payments =
        new PaymentParts(
            context,
            provider.provider(),
            handlers(dependencies, writer, ledger),
            notices(dependencies),
            dependencies.publicUrl());
    this.expire =
        new ExpirePromotionsJob(
            database,
            writer,
            lookup(dependencies.offers()),
            endNotices(dependencies, matrix.services()));
    this.purge = new PurgePromotionsJob(database);
    this.offersConsumer = new PromotedOffersConsumer(database, writer, context.clock());
    this.promotionRpc =
        new PromotionRpc(
            new PromotionService(
                database,
                dependencies.offers(),
                matrix.services(),
                new QuoteIssuer(prices, dependencies.authenticator(), context.clock()),
                dependencies.authenticator(),
                reader,
                writer,
                payments.payments(),
                context.clock()));
    this.intents =
        new IntentsWiring(
            context,
            new IntentsWiring.Dependencies(
                dependencies.offers(),
                writer,
                reader,
                new SourcePrices(prices, matrix.services()),
                ledger,
                retries,
                dependencies.bell(),
                new UnpaidNotices(
                    dependencies.settings(), TopicChannels.defaults(), dependencies.publicUrl())),
            matrix.services().names());
    this.balanceRpcs =
        List.of(
            new BalanceRpc(new LedgerReader(database), new TopUpService(payments.payments())),
            new PromotionIntentRpc(intents.service()));
  }

  private static List<PaymentHandler> handlers(
      Dependencies dependencies, PromotionWriter writer, LedgerStore ledger) {
    List<PaymentHandler> handlers = new ArrayList<>(dependencies.handlers());
    handlers.add(new TopUpHandler(ledger));
    handlers.add(new PromotionPaymentHandler(lookup(dependencies.offers()), writer));
    return handlers;
  }

  private static PromotionPaymentHandler.OfferLookup lookup(Offers offers) {
    return ids -> {
      try {
        return offers.find(ids).join();
      } catch (CompletionException e) {
        throw Futures.unwrap(e) instanceof Failure failure ? failure : e;
      }
    };
  }

  private static PaymentNotices notices(Dependencies dependencies) {
    return new PaymentNotices(
        dependencies.bell(),
        dependencies.settings(),
        TopicChannels.defaults(),
        dependencies.publicUrl());
  }

  private static EndNotices endNotices(Dependencies dependencies, ServiceCatalog catalog) {
    return new EndNotices(
        dependencies.bell(),
        dependencies.settings(),
        TopicChannels.defaults(),
        catalog,
        dependencies.publicUrl());
  }

  /// For modules that sell something else.
  public Payments payments() {
    return payments.payments();
  }

  public PaymentWebhooks webhooks() {
    return payments.webhooks();
  }

  /// For the page of the sandbox; empty unless it is the provider.
  public Optional<SandboxCheckouts> sandbox() {
    return provider.sandbox();
  }

  /// Blocks, except for [#NON_BLOCKING_METHODS].
  public BindableService promotionRpc() {
    return promotionRpc;
  }

  /// Block.
  public List<BindableService> blockingRpcs() {
    List<BindableService> rpcs = new ArrayList<>(balanceRpcs);
    rpcs.add(new PaymentRpc(payments.payments()));
    return rpcs;
  }

  public List<ConsumerBinding> consumers() {
    List<ConsumerBinding> consumers = new ArrayList<>(intents.consumers());
    consumers.add(offersConsumer.binding());
    return consumers;
  }

  public void schedule(JobScheduler jobs) {
    jobs.every(Duration.ofSeconds(1), "promotions.expire", expire::due, expire::run);
    jobs.every(Duration.ofDays(1), "promotions.purge", purge::run);
    payments.schedule(jobs);
    intents.schedule(jobs);
    provider.schedule(jobs);
  }

  /// Stores what was accepted.
  @Override
  public void close() {
    payments.close();
    reader.close();
    provider.close();
    prices.close();
  }
}
