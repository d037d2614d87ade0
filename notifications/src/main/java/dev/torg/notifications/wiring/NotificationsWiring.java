package dev.torg.notifications.wiring;

import dev.torg.notifications.Bell;
import dev.torg.notifications.BellMerge;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.RecipientSettings;
import dev.torg.notifications.bell.BellChanges;
import dev.torg.notifications.bell.BellService;
import dev.torg.notifications.bell.StoredBell;
import dev.torg.notifications.dispatch.Delivery;
import dev.torg.notifications.merge.PagedBellMerge;
import dev.torg.notifications.operation.DeliveryHistory;
import dev.torg.notifications.operation.OperationListeners;
import dev.torg.notifications.operation.PurgeDeliveriesJob;
import dev.torg.notifications.rpc.NotificationRpc;
import dev.torg.notifications.settings.SettingsService;
import dev.torg.notifications.settings.StoredRecipientSettings;
import dev.torg.notifications.stream.DatabaseBellStreams;
import dev.torg.platform.db.Database;
import dev.torg.platform.job.JobScheduler;
import dev.torg.platform.lease.LeaseCoordinator;
import dev.torg.platform.module.ModuleContext;
import io.grpc.BindableService;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Builds the module. The gRPC services block on the database and must run on threads that may block.
public final class NotificationsWiring implements AutoCloseable {
  /// The module's name for [dev.torg.platform.db.Migrations].
  public static final String MIGRATIONS = "notifications";

  private final DatabaseBellStreams streams;
  private final Bell bell;
  private final BellMerge merge;
  private final RecipientSettings settings = new StoredRecipientSettings();
  private static final Duration PURGE_INTERVAL = Duration.ofHours(1);

  private final ModuleContext context;
  private final NotificationTopics topics;
  private final DeliveryParts parts;
  private final OperationListeners operations = new OperationListeners();
  private final List<BindableService> services;
  private @Nullable Delivery delivery;

  /// For the bell only.
  public NotificationsWiring(ModuleContext context, NotificationTopics topics) {
    this(context, topics, DeliveryParts.bellOnly());
  }

  public NotificationsWiring(
      ModuleContext context, NotificationTopics topics, DeliveryParts parts) {
    this.context = context;
    this.topics = topics;
    this.parts = parts;
    Database database = context.database();
    InstantSource clock = context.clock();
    MeterRegistry registry = context.metrics();
    this.streams = new DatabaseBellStreams(database, registry);
    this.bell =
        new StoredBell(clock, new BellChanges(List.of(streams::changed)), operations, registry);
    this.merge = new PagedBellMerge(database, bell, clock);
    this.services =
        List.of(
            new NotificationRpc(
                new BellService(database, topics, clock, bell::changed),
                new SettingsService(database, topics),
                new DeliveryHistory(database),
                topics));
  }

  /// Role delivery: sends what is due on the channels besides the bell. The leases must end before [#close].
  public synchronized void startDelivery(LeaseCoordinator leases) {
    Delivery started =
        new Delivery(
            context,
            new Delivery.Dependencies(
                topics,
                settings,
                parts.targets(),
                parts.links(),
                parts.campaigns(),
                parts.senders()),
            operations,
            parts.settings());
    delivery = started;
    started.start(leases);
  }

  /// Role jobs.
  public void schedule(JobScheduler jobs) {
    jobs.every(
        PURGE_INTERVAL,
        "notifications.deliveries.purge",
        new PurgeDeliveriesJob(context.database()));
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
  public synchronized void close() {
    if (delivery != null) {
      delivery.close();
    }
    streams.close();
  }
}
