package dev.torg.offers;

import dev.torg.offers.category.CategoryRpc;
import dev.torg.offers.category.OfferRules;
import dev.torg.offers.life.Terms;
import dev.torg.offers.offer.OfferRpc;
import dev.torg.offers.offer.OfferService;
import dev.torg.offers.stage.StageService;
import dev.torg.offers.store.OfferReader;
import dev.torg.offers.store.OfferWriter;
import dev.torg.platform.coalesce.CoalescerSettings;
import dev.torg.platform.db.Database;
import dev.torg.platform.outbox.Outbox;
import io.grpc.BindableService;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Puts the room together. Tables: `db/offers`, after the platform's.
public final class OffersWiring implements AutoCloseable {
  /// The room's name for [dev.torg.platform.db.Migrations].
  public static final String MIGRATIONS = "offers";

  private final ExecutorService blocking = Executors.newVirtualThreadPerTaskExecutor();
  private final OfferWriter writer;
  private final OfferReader reader;
  private final OfferService offers;
  private final List<BindableService> services;

  public OffersWiring(
      Database database,
      Outbox outbox,
      Categories categories,
      OfferSettings settings,
      InstantSource clock,
      MeterRegistry registry) {
    this.writer =
        new OfferWriter(
            database,
            CoalescerSettings.of("offers.write", database, settings.writers()),
            outbox,
            settings.archiveAfter(),
            registry);
    this.reader =
        new OfferReader(
            database, CoalescerSettings.of("offers.read", database, settings.readers()), registry);
    Terms terms = new Terms(new OfferRules(categories), settings.lifetime());
    this.offers = new OfferService(writer, reader, terms, clock, blocking);
    StageService stages = new StageService(database, outbox, clock, blocking);
    this.services = List.of(new OfferRpc(offers, stages), new CategoryRpc(categories));
  }

  public List<BindableService> services() {
    return services;
  }

  OfferService offers() {
    return offers;
  }

  /// Answers what was taken in; nothing may be asked any more.
  @Override
  public void close() {
    writer.close();
    reader.close();
    blocking.close();
  }
}
