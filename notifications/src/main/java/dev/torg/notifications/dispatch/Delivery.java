package dev.torg.notifications.dispatch;

import dev.torg.notifications.Channel;
import dev.torg.notifications.DeliveryProvider;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.RecipientSettings;
import dev.torg.notifications.channel.ChannelSender;
import dev.torg.notifications.channel.DeliveryTargets;
import dev.torg.notifications.delivery.CampaignProgress;
import dev.torg.notifications.delivery.UnsubscribeLinks;
import dev.torg.notifications.operation.ClaimDependencies;
import dev.torg.notifications.operation.OperationClaimer;
import dev.torg.notifications.operation.OperationListeners;
import dev.torg.notifications.operation.OutcomeRecorder;
import dev.torg.platform.Home;
import dev.torg.platform.lease.LeaseCoordinator;
import dev.torg.platform.module.ModuleContext;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Delivers on all channels: the work of role `delivery`. The leases must end before it is closed.
public final class Delivery implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Delivery.class);

  /// How long the attempts in flight may take when the process ends.
  private static final Duration MAX_SHUTDOWN_WAIT = Duration.ofSeconds(20);

  private final ExecutorService messages = threads("delivery-message-");
  private final ExecutorService attempts = threads("delivery-attempt-");
  private final OutcomeQueue outcomes;
  private final Map<Channel, ChannelDelivery> channels = new EnumMap<>(Channel.class);

  /// What deliveries use of other packages.
  ///
  /// @param senders those of this installation; a provider without a configured sender is not used
  public record Dependencies(
      NotificationTopics topics,
      RecipientSettings settings,
      DeliveryTargets targets,
      UnsubscribeLinks links,
      CampaignProgress campaigns,
      Map<DeliveryProvider, ChannelSender> senders) {
    Set<DeliveryProvider> configured() {
      return senders.entrySet().stream()
          .filter(sender -> sender.getValue().isConfigured())
          .map(Map.Entry::getKey)
          .collect(Collectors.toSet());
    }
  }

  public Delivery(
      ModuleContext context,
      Dependencies others,
      OperationListeners operations,
      DeliverySettings settings) {
    DeliveryMetrics metrics = new DeliveryMetrics(context.metrics());
    OperationClaimer claimer =
        new OperationClaimer(
            context.database(),
            new ClaimDependencies(
                others.topics(),
                others.settings(),
                others.targets(),
                others.campaigns(),
                others.configured()),
            context.clock());
    outcomes =
        new OutcomeQueue(
            new OutcomeRecorder(context.database(), others.campaigns(), settings.retries()),
            context.clock());
    ProviderGuards guards = new ProviderGuards(settings, attempts, metrics, this::wake);
    MessageDispatcher dispatcher =
        new MessageDispatcher(
            others.senders(),
            guards,
            new MessageComposer(others.links(), settings.iosCategories(), metrics),
            others.targets(),
            outcomes,
            metrics,
            messages,
            context.clock());
    for (Channel channel : Channel.values()) {
      SendingSlots slots = new SendingSlots(settings.slots(channel), () -> guards.allowed(channel));
      channels.put(
          channel,
          new ChannelDelivery(channel, context.database(), claimer, slots, dispatcher, metrics));
    }
    operations.add(this::wake);
  }

  /// Joins the work.
  public void start(LeaseCoordinator leases) {
    channels.values().forEach(channel -> channel.start(leases));
  }

  private void wake(Channel channel, Collection<Home> homes) {
    ChannelDelivery delivery = channels.get(channel);
    if (delivery != null) {
      delivery.wake(homes);
    }
  }

  private void wake(Channel channel) {
    ChannelDelivery delivery = channels.get(channel);
    if (delivery != null) {
      delivery.wake();
    }
  }

  /// Completes what is in flight and records the outcomes. An attempt that takes too long is not recorded.
  @Override
  public void close() {
    messages.shutdown();
    try {
      if (!messages.awaitTermination(MAX_SHUTDOWN_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("attempts in flight were interrupted");
        messages.shutdownNow();
      }
    } catch (InterruptedException e) {
      messages.shutdownNow();
      Thread.currentThread().interrupt();
    }
    attempts.shutdownNow();
    outcomes.close();
  }

  private static ExecutorService threads(String name) {
    return Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name(name, 0).factory());
  }
}
