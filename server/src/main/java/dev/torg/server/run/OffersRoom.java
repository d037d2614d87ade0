package dev.torg.server.run;

import dev.torg.offers.Categories;
import dev.torg.offers.FeedSettings;
import dev.torg.offers.OfferSettings;
import dev.torg.offers.Offers;
import dev.torg.offers.OffersWiring;
import dev.torg.offers.category.CategoryFile;
import dev.torg.offers.feed.read.ForeignCategories;
import dev.torg.platform.topics.ConsumerLoop;
import dev.torg.server.HttpRoute;
import dev.torg.server.Rpc;
import dev.torg.server.config.Configuration;
import dev.torg.server.config.Role;
import dev.torg.server.feed.FeedRoute;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;

/// Drafts, offers, the cabinet, moderation and feeds. Its calls never wait.
final class OffersRoom implements Room {
  private final OffersWiring wiring;
  private final MeterRegistry metrics;

  OffersRoom(Ground ground) {
    metrics = ground.metrics();
    Categories categories =
        ground
            .configuration()
            .categories()
            .map(CategoryFile::read)
            .orElseGet(CategoryFile::defaultTree);
    wiring =
        new OffersWiring(
            new OffersWiring.Ground(
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
        configuration.offerLifetime(), configuration.archiveAfter(), configuration.claimFor());
  }

  private static FeedSettings feeds(Configuration configuration, Categories categories) {
    return FeedSettings.of(
        configuration.feedRemovalPercent(),
        configuration
            .feedCategories()
            .map(file -> ForeignCategories.read(file, categories))
            .orElse(ForeignCategories.NONE));
  }

  Offers face() {
    return wiring.face();
  }

  @Override
  public List<Rpc> rpcs() {
    return wiring.services().stream().map(Rpc::async).toList();
  }

  @Override
  public List<HttpRoute> routes() {
    return List.of(new FeedRoute(wiring.feeds()).route());
  }

  @Override
  public void start(Background background) {
    if (background.does(Role.JOBS)) {
      wiring.schedule(background.jobs());
      for (OffersWiring.Consumer consumer : wiring.consumers()) {
        background.run(
            new ConsumerLoop(
                background.kafka(),
                consumer.spec(),
                consumer.handler(),
                background.parked(),
                metrics));
      }
    }
  }

  @Override
  public void close() {
    wiring.close();
  }
}
