package dev.torg.server.run;

import dev.torg.offers.Categories;
import dev.torg.offers.FeedSettings;
import dev.torg.offers.OfferSettings;
import dev.torg.offers.Offers;
import dev.torg.offers.category.CategoryFile;
import dev.torg.offers.feed.format.CategoryMapping;
import dev.torg.offers.photo.PhotoSettings;
import dev.torg.offers.photo.blob.S3BlobStore;
import dev.torg.offers.wiring.OffersWiring;
import dev.torg.platform.kafka.ConsumerLoop;
import dev.torg.server.config.Configuration;
import dev.torg.server.config.PhotoConfig;
import dev.torg.server.config.Role;
import dev.torg.server.feed.FeedRoute;
import dev.torg.server.photos.PhotoImageRoute;
import dev.torg.server.photos.PhotoUploadRoute;
import dev.torg.server.quota.Bound;
import dev.torg.server.quota.Refusals;
import dev.torg.server.route.HttpRoute;
import dev.torg.server.route.RpcBinding;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;

/// Drafts, offers, the cabinet, moderation, feeds and photos. Its calls never wait. Role photos prepares
/// photos; what becomes of them reaches offers in role jobs.
final class OffersModule implements Module {
  private final OffersWiring wiring;
  private final MeterRegistry metrics;
  private final Configuration configuration;

  OffersModule(ModuleContext ground) {
    metrics = ground.metrics();
    configuration = ground.configuration();
    Categories categories =
        ground
            .configuration()
            .categories()
            .map(CategoryFile::read)
            .orElseGet(CategoryFile::defaultTree);
    wiring =
        new OffersWiring(
            new OffersWiring.Context(
                ground.database(),
                ground.outbox(),
                ground.tokens()::verify,
                ground.clock(),
                ground.metrics()),
            categories,
            settings(ground.configuration()),
            feeds(ground.configuration(), categories));
  }

  private static OfferSettings settings(Configuration configuration) {
    return OfferSettings.of(
            configuration.offerLifetime(), configuration.archiveAfter(), configuration.claimFor())
        .withPhotos(photos(configuration));
  }

  private static PhotoSettings photos(Configuration configuration) {
    PhotoConfig photos = configuration.photos();
    return PhotoSettings.defaults(configuration.data().resolve("photos"))
        .withStore(store(photos.store()))
        .withTrustedHosts(photos.hosts())
        .withBaseUrl(photos.url())
        .withAtOnce(photos.threads());
  }

  private static PhotoSettings.Store store(PhotoConfig.Store store) {
    return switch (store) {
      case PhotoConfig.Store.Directory given -> new PhotoSettings.Store.Directory(given.path());
      case PhotoConfig.Store.Bucket given ->
          new PhotoSettings.Store.S3(
              new S3BlobStore.Bucket(
                  given.name(),
                  given.prefix(),
                  given.region(),
                  given.endpoint(),
                  given.keys().map(keys -> new S3BlobStore.Keys(keys.access(), keys.secret()))));
    };
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
    routes.addAll(new PhotoImageRoute(wiring.photos()).routes());
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
  public void start(BackgroundRuntime background) {
    if (background.does(Role.JOBS)) {
      wiring.schedule(background.jobs());
      wiring.consumers().forEach(consumer -> run(background, consumer));
    }
    if (background.does(Role.PHOTOS)) {
      wiring.schedulePhotos(background.jobs());
      wiring.photoConsumers().forEach(consumer -> run(background, consumer));
    }
  }

  private void run(BackgroundRuntime background, OffersWiring.ConsumerBinding consumer) {
    background.run(
        new ConsumerLoop(
            background.kafka(), consumer.spec(), consumer.handler(), background.parked(), metrics));
  }

  @Override
  public void close() {
    wiring.close();
  }
}
