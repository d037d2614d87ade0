package dev.torg.notifications.wiring;

import dev.torg.notifications.Bell;
import dev.torg.notifications.BellMerge;
import dev.torg.notifications.BellStreamService;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.RecipientSettings;
import dev.torg.notifications.bell.BellService;
import dev.torg.notifications.rpc.NotificationRpc;
import dev.torg.notifications.settings.SettingsService;
import dev.torg.platform.db.Database;
import io.grpc.BindableService;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.List;

/// Puts the room together. The RPC services wait for the database: they are to be served on threads
/// that may.
public final class NotificationsWiring implements AutoCloseable {
  /// The room's name for [dev.torg.platform.db.Migrations].
  public static final String MIGRATIONS = "notifications";

  private final Bell bell;
  private final BellStreamService live;
  private final BellMerge move;
  private final List<BindableService> services;

  public NotificationsWiring(
      Database database, NotificationTopics topics, InstantSource clock, MeterRegistry registry) {
    this.bell = new Bell(clock, registry);
    this.live = new BellStreamService(database, bell, registry);
    this.move = new BellMerge(database, bell, clock);
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

  /// Not started: a process starts it when it writes to bells or serves streams.
  public BellStreamService live() {
    return live;
  }

  public BellMerge move() {
    return move;
  }

  public RecipientSettings settings() {
    return new RecipientSettings();
  }

  public List<BindableService> services() {
    return services;
  }

  @Override
  public void close() {
    live.close();
  }
}
