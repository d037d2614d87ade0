package dev.torg.notifications.wiring;

import dev.torg.notifications.Bell;
import dev.torg.notifications.BellMerge;
import dev.torg.notifications.NotificationCenterSettings;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.RecipientSettings;
import dev.torg.notifications.SettingsListener;
import dev.torg.notifications.bell.BellChanges;
import dev.torg.notifications.bell.BellService;
import dev.torg.notifications.bell.PurgeOldEntriesJob;
import dev.torg.notifications.bell.RemoveExpiredEntriesJob;
import dev.torg.notifications.bell.StoredBell;
import dev.torg.notifications.merge.PagedBellMerge;
import dev.torg.notifications.rpc.NotificationRpc;
import dev.torg.notifications.rpc.NotificationSettingsRpc;
import dev.torg.notifications.settings.DeviceTimezones;
import dev.torg.notifications.settings.SettingsService;
import dev.torg.notifications.settings.StoredRecipientSettings;
import dev.torg.notifications.stream.DatabaseBellStreams;
import dev.torg.platform.db.Database;
import dev.torg.platform.job.JobScheduler;
import dev.torg.platform.module.ModuleContext;
import io.grpc.BindableService;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/// Builds the module. The gRPC services block on the database and must run on threads that may block.
public final class NotificationsWiring implements AutoCloseable {
  /// The module's name for [dev.torg.platform.db.Migrations].
  public static final String MIGRATIONS = "notifications";

  private final DatabaseBellStreams streams;
  private final Bell bell;
  private final BellMerge merge;
  private final RecipientSettings settings;
  private final RemoveExpiredEntriesJob expiry;
  private final PurgeOldEntriesJob purge;
  private final List<BindableService> services;

  public NotificationsWiring(ModuleContext context, NotificationTopics topics) {
    this(context, topics, NotificationCenterSettings.defaults(), DeviceTimezones.NONE, List.of());
  }

  /// @param listeners are called in transactions that replace a person's settings
  public NotificationsWiring(
      ModuleContext context,
      NotificationTopics topics,
      NotificationCenterSettings operator,
      DeviceTimezones devices,
      List<SettingsListener> listeners) {
    Database database = context.database();
    InstantSource clock = context.clock();
    MeterRegistry registry = context.metrics();
    this.streams = new DatabaseBellStreams(database, clock, registry);
    this.bell = new StoredBell(clock, new BellChanges(List.of(streams::changed)), registry);
    this.merge = new PagedBellMerge(database, bell, clock);
    StoredRecipientSettings stored =
        new StoredRecipientSettings(devices, operator.defaultTimezone());
    this.settings = stored;
    this.expiry = new RemoveExpiredEntriesJob(database, bell::changed);
    this.purge = new PurgeOldEntriesJob(database, operator.retention(), bell::changed);
    this.services =
        List.of(
            new NotificationRpc(new BellService(database, topics, clock, bell::changed)),
            new NotificationSettingsRpc(
                new SettingsService(database, topics, stored, listeners), topics));
  }

  /// Role jobs: removes expired and old entries.
  public void schedule(JobScheduler jobs) {
    jobs.every(Duration.ofSeconds(1), "notifications.expired", expiry::due, expiry::run);
    jobs.every(Duration.ofMinutes(1), "notifications.old", purge::due, purge::run);
  }

  public Bell bell() {
    return bell;
  }

  /// Not started: a process starts it if it writes to bells or serves streams.
  public DatabaseBellStreams streams() {
    return streams;
  }

  public BellMerge merge() {
    return merge;
  }

  public RecipientSettings settings() {
    return settings;
  }

  public List<BindableService> services() {
    return services;
  }

  @Override
  public void close() {
    streams.close();
  }
}
