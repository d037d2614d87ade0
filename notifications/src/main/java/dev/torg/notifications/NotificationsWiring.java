package dev.torg.notifications;

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
  private final LiveBell live;
  private final BellMove move;
  private final List<BindableService> services;

  public NotificationsWiring(
      Database database, Topics topics, InstantSource clock, MeterRegistry registry) {
    this.bell = new Bell(clock, registry);
    this.live = new LiveBell(database, bell, registry);
    this.move = new BellMove(database, bell, clock);
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
  public LiveBell live() {
    return live;
  }

  public BellMove move() {
    return move;
  }

  public ReaderSettings settings() {
    return new ReaderSettings();
  }

  public List<BindableService> services() {
    return services;
  }

  @Override
  public void close() {
    live.close();
  }
}
