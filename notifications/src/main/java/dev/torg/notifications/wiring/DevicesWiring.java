package dev.torg.notifications.wiring;

import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.RecipientSettings;
import dev.torg.notifications.UnsubscribeService;
import dev.torg.notifications.channel.ChannelSender;
import dev.torg.notifications.channel.DeliveryTargets;
import dev.torg.notifications.contacts.ContactService;
import dev.torg.notifications.contacts.ContactTargets;
import dev.torg.notifications.contacts.PurgeCodeQuotasJob;
import dev.torg.notifications.delivery.UnsubscribeLinks;
import dev.torg.notifications.devices.ClaimedDevices;
import dev.torg.notifications.devices.DeviceService;
import dev.torg.notifications.merge.DevicesMerge;
import dev.torg.notifications.rpc.DeviceRpc;
import dev.torg.notifications.targets.StoredDeliveryTargets;
import dev.torg.notifications.unsubscribe.SettingsUnsubscribeService;
import dev.torg.notifications.unsubscribe.SignedUnsubscribeLinks;
import dev.torg.platform.db.Database;
import dev.torg.platform.identity.MessageAuthenticator;
import dev.torg.platform.job.JobScheduler;
import dev.torg.platform.module.ModuleContext;
import dev.torg.platform.net.PublicHostResolver;
import io.grpc.BindableService;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Builds what concerns devices, contacts and unsubscribing. The gRPC service blocks.
public final class DevicesWiring {
  private static final Duration PURGE_INTERVAL = Duration.ofHours(1);

  private final Database database;
  private final InstantSource clock;
  private final Dependencies uses;
  private final ClaimedDevices devices;
  private final ContactTargets contacts;

  /// @param senders by which codes are sent; a channel without one accepts no contacts
  /// @param hosts resolves the hosts of webhooks and push endpoints that people give
  /// @param publicUrl the address of this installation without a slash at its end
  public record Dependencies(
      NotificationTopics topics,
      RecipientSettings settings,
      List<ChannelSender> senders,
      PublicHostResolver hosts,
      MessageAuthenticator authenticator,
      String publicUrl) {
    public Dependencies {
      senders = List.copyOf(senders);
    }
  }

  public DevicesWiring(ModuleContext context, Dependencies uses) {
    this.database = context.database();
    this.clock = context.clock();
    this.uses = uses;
    this.devices = new ClaimedDevices(database, clock);
    this.contacts = new ContactTargets(database, clock);
  }

  public List<BindableService> services() {
    return List.of(
        new DeviceRpc(
            new DeviceService(database, devices, uses.hosts(), clock),
            new ContactService(
                database,
                clock,
                uses.senders(),
                uses.hosts(),
                uses.authenticator(),
                uses.settings())));
  }

  public DeliveryTargets targets() {
    return new StoredDeliveryTargets(database, devices, contacts);
  }

  public UnsubscribeLinks unsubscribeLinks() {
    return new SignedUnsubscribeLinks(uses.publicUrl(), uses.topics(), uses.authenticator());
  }

  /// @param logins finds the login that an anonymous identity was merged into, and completes an unfinished merge
  public UnsubscribeService unsubscribeService(Function<String, Optional<String>> logins) {
    return new SettingsUnsubscribeService(
        database, uses.topics(), uses.authenticator(), logins, clock);
  }

  /// For a step of the login merge.
  public DevicesMerge merge() {
    return new DevicesMerge(database, devices, contacts, clock);
  }

  public void schedule(JobScheduler jobs) {
    PurgeCodeQuotasJob purge = new PurgeCodeQuotasJob(database);
    jobs.every(PURGE_INTERVAL, "notifications.code-quotas", purge::due, purge);
  }
}
