package dev.torg.notifications.dispatch;

import dev.torg.notifications.DeliveryProvider;
import dev.torg.notifications.channel.ChannelSender;
import dev.torg.notifications.channel.DeliveryOutcome;
import dev.torg.notifications.channel.DeliveryOutcome.TargetGone;
import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.channel.DeliveryTargets;
import dev.torg.notifications.operation.ClaimedMessage;
import dev.torg.notifications.operation.SentMessage;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sends claimed messages, each on a virtual thread of its own, to one target after the other. An attempt is made at most
/// once per target; a refusal by one target does not concern the others.
final class MessageDispatcher {
  private static final Logger LOG = LoggerFactory.getLogger(MessageDispatcher.class);

  private final Map<DeliveryProvider, ChannelSender> senders;
  private final ProviderGuards guards;
  private final MessageComposer composer;
  private final DeliveryTargets targets;
  private final OutcomeQueue outcomes;
  private final DeliveryMetrics metrics;
  private final ExecutorService threads;
  private final InstantSource clock;

  MessageDispatcher(
      Map<DeliveryProvider, ChannelSender> senders,
      ProviderGuards guards,
      MessageComposer composer,
      DeliveryTargets targets,
      OutcomeQueue outcomes,
      DeliveryMetrics metrics,
      ExecutorService threads,
      InstantSource clock) {
    this.senders = Map.copyOf(senders);
    this.guards = guards;
    this.composer = composer;
    this.targets = targets;
    this.outcomes = outcomes;
    this.metrics = metrics;
    this.threads = threads;
    this.clock = clock;
  }

  /// @param sent runs when the message is not in flight any more
  void dispatch(ClaimedMessage message, Runnable sent) {
    threads.execute(
        () -> {
          try {
            send(message);
          } finally {
            sent.run();
          }
        });
  }

  private void send(ClaimedMessage message) {
    List<SentMessage.TargetOutcome> attempted =
        message.targets().stream()
            .map(target -> new SentMessage.TargetOutcome(target, attempt(message, target)))
            .toList();
    outcomes.add(new SentMessage(message, attempted, clock.instant()));
    attempted.stream()
        .filter(one -> one.outcome() instanceof TargetGone)
        .forEach(one -> remove(message.owner(), one.target()));
  }

  private DeliveryOutcome attempt(ClaimedMessage message, DeliveryTarget target) {
    DeliveryOutcome outcome = attemptGuarded(message, target);
    message.parts().forEach(part -> metrics.outcome(message.channel(), part.topic().id(), outcome));
    return outcome;
  }

  private DeliveryOutcome attemptGuarded(ClaimedMessage message, DeliveryTarget target) {
    ChannelSender sender = senders.get(target.provider());
    if (sender == null) {
      return DeliveryOutcome.rejected("not-configured");
    }
    try {
      return guards.of(target).send(sender, composer.compose(message, target));
    } catch (RuntimeException e) {
      LOG.error("a message on {} cannot be composed", message.channel(), e);
      return DeliveryOutcome.rejected("error");
    }
  }

  private void remove(String recipient, DeliveryTarget gone) {
    try {
      targets.remove(recipient, gone);
    } catch (RuntimeException e) {
      LOG.warn("a target on {} that is gone cannot be removed: {}", gone.channel(), e.toString());
    }
  }
}
