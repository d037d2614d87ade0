package dev.torg.server.run;

import dev.torg.offers.OfferSettings;
import dev.torg.offers.Offers;
import dev.torg.offers.category.Categories;
import dev.torg.offers.category.CategoryFile;
import dev.torg.offers.feed.FeedSettings;
import dev.torg.offers.feed.format.CategoryMapping;
import dev.torg.offers.wiring.OffersWiring;
import dev.torg.photos.PhotoUploadStore;
import dev.torg.platform.kafka.ConsumerBinding;
import dev.torg.platform.kafka.ConsumerLoop;
import dev.torg.server.config.Configuration;
import dev.torg.server.config.Role;
import dev.torg.server.feed.FeedRoute;
import dev.torg.server.photos.PhotoUploadRoute;
import dev.torg.server.quota.Bound;
import dev.torg.server.quota.Refusals;
import dev.torg.server.route.HttpRoute;
import dev.torg.server.route.RpcBinding;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;

/// Drafts, offers, the seller dashboard, moderation, feeds and the photos of offers. Its calls never
/// block. The answers of [PhotosModule] are consumed in role jobs.
final class OffersModule implements Module {
  private final OffersWiring wiring;
  private final MeterRegistry metrics;
  private final Configuration configuration;

  OffersModule(ProcessContext context, PhotoUploadStore uploads) {
    metrics = context.module().metrics();
    configuration = context.configuration();
    Categories categories =
        context
            .configuration()
            .categories()
            .map(CategoryFile::read)
            .orElseGet(CategoryFile::defaultTree);
    wiring =
        new OffersWiring(
            context.module(),
            context.tokens()::verify,
            uploads,
            categories,
            settings(context.configuration()),
            feeds(context.configuration(), categories));
  }

  private static OfferSettings settings(Configuration configuration) {
    return OfferSettings.of(
        configuration.offerLifetime(), configuration.archiveAfter(), configuration.claimFor());
  }

  private static FeedSettings feeds(Configuration configuration, Categories categories) {
    Bound uploads = configuration.quotas().feedUploads();
    return FeedSettings.of(
            configuration.feedRemovalPercent(),
            configuration
                .feedCategories()
                .map(file -> CategoryMapping.read(file, categories))
                .orElse(CategoryMapping.NONE))
        .withUploads(
            (int) uploads.total(),
            (int) uploads.perKey(),
            configuration.quotas().feedUploadTimeout());
  }

  Offers offers() {
    return wiring.offers();
  }

  @Override
  public List<RpcBinding> rpcs() {
    return wiring.services().stream().map(RpcBinding::async).toList();
  }

  @Override
  public List<HttpRoute> routes() {
    List<HttpRoute> routes = new ArrayList<>(uploads().routes());
    routes.add(new FeedRoute(wiring.feeds()).route());
    return routes;
  }

  private PhotoUploadRoute uploads() {
    return new PhotoUploadRoute(
        wiring.photos(),
        configuration.quotas().quotas().photoUploads(),
        new Refusals(metrics),
        configuration.data().resolve("uploads"));
  }

  @Override
  public void start(BackgroundRuntime runtime) {
    if (runtime.does(Role.JOBS)) {
      wiring.schedule(runtime.jobs());
      wiring.consumers().forEach(consumer -> run(runtime, consumer));
    }
  }

  private void run(BackgroundRuntime runtime, ConsumerBinding consumer) {
    runtime.run(
        new ConsumerLoop(
            runtime.kafka(), consumer.spec(), consumer.handler(), runtime.parkedEvents(), metrics));
  }

  @Override
  public void close() {
    wiring.close();
  }
}
