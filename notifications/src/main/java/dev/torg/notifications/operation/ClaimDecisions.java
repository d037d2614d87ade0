package dev.torg.notifications.operation;

import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.delivery.AppVersion;
import dev.torg.notifications.delivery.DeliveryCount;
import dev.torg.notifications.delivery.DeliveryDecision;
import dev.torg.notifications.delivery.DeliveryDecision.Deliver;
import dev.torg.notifications.delivery.DeliveryDecision.Hold;
import dev.torg.notifications.delivery.DeliveryDecision.Suppress;
import dev.torg.notifications.delivery.DueMessage;
import dev.torg.notifications.delivery.SuppressionReason;
import dev.torg.notifications.operation.OperationRows.Queued;
import dev.torg.notifications.operation.OperationStore.Due;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Decides in order what is done with the operations of a claim; each decision counts for the next one. Pure.
///
/// The operations of a person that were held back and are due together become one message, which counts once for the
/// channel and once for each of its topics. It goes to the devices that qualify for all of its entries; if there are
/// none, each entry is a message of its own.
final class ClaimDecisions {
  private static final Logger LOG = LoggerFactory.getLogger(ClaimDecisions.class);

  /// An operation that is not delivered.
  record Suppressed(DeliveryOperation operation, SuppressionReason reason) {}

  /// @param counts those that changed
  record Result(
      List<ClaimedMessage> messages,
      List<Suppressed> suppressed,
      List<Queued> held,
      List<DeliveryCounts.Changed> counts) {}

  /// An operation that may be delivered now, and where.
  private record Deliverable(ClaimedMessage.Part part, List<DeliveryTarget> targets) {}

  private final ClaimContext context;
  private final DeliveryCounts counts;
  private final List<ClaimedMessage> messages = new ArrayList<>();
  private final List<Suppressed> suppressed = new ArrayList<>();
  private final List<Queued> held = new ArrayList<>();

  private ClaimDecisions(ClaimContext context, DeliveryCounts counts) {
    this.context = context;
    this.counts = counts;
  }

  static Result decide(List<Due> due, ClaimContext context, DeliveryCounts counts) {
    ClaimDecisions decisions = new ClaimDecisions(context, counts);
    Map<String, List<Due>> heldOf =
        due.stream()
            .filter(decisions::isSummarized)
            .collect(Collectors.groupingBy(one -> one.operation().owner()));
    Set<String> summarized = new HashSet<>();
    for (Due one : due) {
      String owner = one.operation().owner();
      if (!decisions.isSummarized(one)) {
        decisions.deliverEach(List.of(one));
      } else if (summarized.add(owner)) {
        decisions.deliverTogether(heldOf.getOrDefault(owner, List.of()));
      }
    }
    return new Result(decisions.messages, decisions.suppressed, decisions.held, counts.changed());
  }

  private boolean isSummarized(Due due) {
    return due.operation().isHeld() && !context.topic(due.operation().topic()).exempt();
  }

  private void deliverTogether(List<Due> due) {
    if (due.size() == 1) {
      deliverEach(due);
      return;
    }
    int settled = suppressed.size();
    int stillHeld = held.size();
    List<Deliverable> deliverable = deliverable(due);
    Optional<List<DeliveryTarget>> common = commonTargets(deliverable);
    if (common.isPresent()) {
      send(deliverable.stream().map(Deliverable::part).toList(), common.get());
    } else {
      suppressed.subList(settled, suppressed.size()).clear();
      held.subList(stillHeld, held.size()).clear();
      deliverEach(due);
    }
  }

  private void deliverEach(List<Due> due) {
    for (Due one : due) {
      deliverable(List.of(one)).forEach(only -> send(List.of(only.part()), only.targets()));
    }
  }

  /// Suppresses or holds back the others.
  private List<Deliverable> deliverable(List<Due> due) {
    List<Deliverable> deliverable = new ArrayList<>();
    for (Due one : due) {
      DeliveryOperation operation = one.operation();
      switch (decide(one)) {
        case Suppress suppress -> suppressed.add(new Suppressed(operation, suppress.reason()));
        case Hold hold -> held.add(new Queued(operation, hold.until()));
        case Deliver _ -> deliverable.addAll(reachable(one));
      }
    }
    return deliverable;
  }

  /// What is wrong with one operation must not block those after it.
  private DeliveryDecision decide(Due due) {
    try {
      return decideByEntryAndSettings(due);
    } catch (RuntimeException e) {
      LOG.error("a delivery to {} cannot be decided", due.operation().owner(), e);
      return new Suppress(SuppressionReason.DEFECT);
    }
  }

  private DeliveryDecision decideByEntryAndSettings(Due due) {
    if (due.entry().isEmpty()) {
      return new Suppress(SuppressionReason.WITHDRAWN);
    }
    if (due.entry().get().isRead()) {
      return new Suppress(SuppressionReason.READ);
    }
    if (!context.isConfigured()) {
      return new Suppress(SuppressionReason.CHANNEL_NOT_CONFIGURED);
    }
    DeliveryOperation operation = due.operation();
    DueMessage message =
        new DueMessage(
            context.topic(operation.topic()), operation.channel(), operation.expiresAt());
    return context
        .policy(operation.owner())
        .decide(message, ofTopic(operation), ofChannel(operation), context.now());
  }

  /// The limits were charged at the first attempt, so they do not restrict a further one.
  private DeliveryCount ofTopic(DeliveryOperation operation) {
    return operation.isCharged()
        ? DeliveryCount.NONE
        : counts.ofTopic(operation.owner(), operation.topic());
  }

  private DeliveryCount ofChannel(DeliveryOperation operation) {
    return operation.isCharged() ? DeliveryCount.NONE : counts.ofChannel(operation.owner());
  }

  private List<Deliverable> reachable(Due due) {
    DeliveryOperation operation = due.operation();
    List<DeliveryTarget> targets =
        context.targets(operation.owner()).stream()
            .filter(target -> isStillToReach(operation, target))
            .toList();
    List<DeliveryTarget> qualifying =
        targets.stream().filter(target -> qualifies(operation, target)).toList();
    if (qualifying.isEmpty()) {
      suppressed.add(
          new Suppressed(
              operation,
              targets.isEmpty() ? SuppressionReason.NO_TARGET : SuppressionReason.APP_VERSION));
      return List.of();
    }
    OperationStore.Entry entry = due.entry().orElseThrow();
    ClaimedMessage.Part part =
        new ClaimedMessage.Part(
            operation, entry.key(), entry.content(), context.topic(operation.topic()));
    return List.of(new Deliverable(part, qualifying));
  }

  private static boolean isStillToReach(DeliveryOperation operation, DeliveryTarget target) {
    return operation.devices().isEmpty()
        || (target instanceof DeliveryTarget.Device device
            && operation.devices().contains(device.deviceId()));
  }

  private static boolean qualifies(DeliveryOperation operation, DeliveryTarget target) {
    if (!(target instanceof DeliveryTarget.Device device)) {
      return true;
    }
    String min = operation.minAppVersion().get(target.provider().platform());
    return min == null || AppVersion.isAtLeast(device.appVersion(), min);
  }

  /// Empty if there is nothing to deliver at a common target.
  private static Optional<List<DeliveryTarget>> commonTargets(List<Deliverable> deliverable) {
    if (deliverable.isEmpty()) {
      return Optional.empty();
    }
    List<DeliveryTarget> common = new ArrayList<>(deliverable.getFirst().targets());
    deliverable.forEach(one -> common.retainAll(one.targets()));
    return common.isEmpty() ? Optional.empty() : Optional.of(common);
  }

  private void send(List<ClaimedMessage.Part> parts, List<DeliveryTarget> targets) {
    ClaimedMessage message =
        new ClaimedMessage(parts, targets, context.settings(parts.getFirst().operation().owner()));
    messages.add(message);
    Set<String> charged =
        parts.stream()
            .filter(part -> !part.topic().exempt() && !part.operation().isCharged())
            .map(part -> part.topic().id())
            .collect(Collectors.toSet());
    if (!charged.isEmpty()) {
      counts.add(message.owner(), charged, context.now(), context.policy(message.owner()).zone());
    }
  }
}
