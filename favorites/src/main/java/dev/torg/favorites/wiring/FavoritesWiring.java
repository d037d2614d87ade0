package dev.torg.favorites.wiring;

import dev.torg.favorites.AlertRules;
import dev.torg.favorites.Audiences;
import dev.torg.favorites.FavoriteSettings;
import dev.torg.favorites.FavoriteTopics;
import dev.torg.favorites.LoginMergeStep;
import dev.torg.favorites.SubscriptionBackfills;
import dev.torg.favorites.merge.LoginMergeProcess;
import dev.torg.favorites.projection.ProjectedAudiences;
import dev.torg.favorites.projection.StoredBackfills;
import dev.torg.favorites.read.FavoriteReader;
import dev.torg.favorites.read.FavoriteTotalsMetrics;
import dev.torg.favorites.write.AlertRuleStore;
import dev.torg.favorites.write.FavoriteWriter;
import dev.torg.favorites.write.FavoritesMergeStep;
import dev.torg.favorites.write.FavoritesStore;
import dev.torg.platform.Failure;
import dev.torg.platform.coalesce.CoalescerSettings;
import dev.torg.platform.db.Database;
import dev.torg.platform.kafka.TopicSpec;
import dev.torg.platform.module.ModuleContext;
import dev.torg.platform.outbox.EventSequence;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/// Builds the core of the module: storage, and what other modules read. It depends on no other domain.
///
/// The wiring goes in one direction: this core, then [LoginMergeWiring] with the steps of all modules, then
/// alerts, then [FavoriteServicesWiring], which serves the API with the estimator of alerts.
public final class FavoritesWiring implements AutoCloseable {
  /// The module's name for [dev.torg.platform.db.Migrations].
  public static final String MIGRATIONS = "favorites";

  /// Retained for a week, like the tombstones of the projections built from them.
  public static final List<TopicSpec> TOPICS =
      List.of(
          new TopicSpec(FavoriteTopics.FAVORITES, Duration.ofDays(7)),
          new TopicSpec(FavoriteTopics.SEARCHES, Duration.ofDays(7)));

  private static final int MERGE_PAGE_SIZE = 1000;

  private final FavoriteWriter writer;
  private final FavoriteReader reader;
  private final Audiences audiences;
  private final SubscriptionBackfills backfills;
  private final AlertRules rules = new AlertRuleStore();
  private final FavoritesMergeStep merging;

  /// Referenced here because its gauges hold weak references.
  @SuppressWarnings("UnusedVariable")
  private final FavoriteTotalsMetrics totals;

  private volatile boolean closing;

  public FavoritesWiring(ModuleContext context, FavoriteSettings settings) {
    Database database = context.database();
    InstantSource clock = context.clock();
    MeterRegistry registry = context.metrics();
    FavoritesStore store = new FavoritesStore(context.outbox(), new EventSequence(clock));
    this.writer =
        new FavoriteWriter(
            database,
            CoalescerSettings.of("favorites.write", database, settings.writers()),
            store,
            settings::limits,
            clock,
            registry);
    this.reader =
        new FavoriteReader(
            database,
            CoalescerSettings.of("favorites.read", database, settings.readers()),
            registry);
    this.audiences = new ProjectedAudiences(database);
    this.backfills = new StoredBackfills(database);
    this.merging =
        new FavoritesMergeStep(database, store, clock, this::requireRunning, MERGE_PAGE_SIZE);
    this.totals =
        new FavoriteTotalsMetrics(database, LoginMergeProcess.ALARMING_ATTEMPTS, registry);
  }

  private void requireRunning() {
    if (closing) {
      throw Failure.unavailable("server.stopping", "the server is stopping, try again", null);
    }
  }

  FavoriteWriter writer() {
    return writer;
  }

  FavoriteReader reader() {
    return reader;
  }

  public Audiences audiences() {
    return audiences;
  }

  public SubscriptionBackfills backfills() {
    return backfills;
  }

  public AlertRules rules() {
    return rules;
  }

  /// The step of the login merge that moves favorites.
  public LoginMergeStep mergeStep() {
    return LoginMergeStep.named("favorites", merging::page);
  }

  /// Completes the writes that were accepted.
  @Override
  public void close() {
    closing = true;
    writer.close();
    reader.close();
  }
}
