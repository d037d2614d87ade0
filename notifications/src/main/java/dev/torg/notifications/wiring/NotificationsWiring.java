package dev.torg.notifications.wiring;

import dev.torg.notifications.Bell;
import dev.torg.notifications.BellMerge;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.RecipientSettings;
import dev.torg.notifications.bell.BellChanges;
import dev.torg.notifications.bell.BellService;
import dev.torg.notifications.bell.StoredBell;
import dev.torg.notifications.merge.PagedBellMerge;
import dev.torg.notifications.rpc.NotificationRpc;
import dev.torg.notifications.settings.SettingsService;
import dev.torg.notifications.settings.StoredRecipientSettings;
import dev.torg.notifications.stream.DatabaseBellStreams;
import dev.torg.platform.db.Database;
import dev.torg.platform.module.ModuleContext;
import io.grpc.BindableService;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.List;

/// Builds the module. The gRPC services block on the database and must run on threads that may block.
public final class NotificationsWiring implements AutoCloseable {
  /// The module's name for [dev.torg.platform.db.Migrations].
  public static final String MIGRATIONS = "notifications";

  private final DatabaseBellStreams streams;
  private final Bell bell;
  private final BellMerge merge;
  private final RecipientSettings settings = new StoredRecipientSettings();
  private final List<BindableService> services;

  public NotificationsWiring(ModuleContext context, NotificationTopics topics) {
    Database database = context.database();
    InstantSource clock = context.clock();
    MeterRegistry registry = context.metrics();
    this.streams = new DatabaseBellStreams(database, registry);
    this.bell = new StoredBell(clock, new BellChanges(List.of(streams::changed)), registry);
    this.merge = new PagedBellMerge(database, bell, clock);
    this.services =
        List.of(
            new NotificationRpc(
                new BellService(database, topics, clock, bell::changed),
                new SettingsService(database, topics),
                topics));
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
