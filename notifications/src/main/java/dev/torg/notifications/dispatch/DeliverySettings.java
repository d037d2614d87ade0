package dev.torg.notifications.dispatch;

import dev.torg.notifications.Channel;
import dev.torg.notifications.DeliveryLimits;
import dev.torg.notifications.DeliveryProvider;
import dev.torg.notifications.operation.RetryPolicy;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;

/// How a process delivers.
///
/// @param slots messages of a channel in flight at once
/// @param ratePerSecond messages to a provider per second
/// @param sendTimeout after which the outcome of an attempt counts as unknown, in case the sender's own timeouts fail
/// @param breakerWait how long a provider that fails is not called
/// @param iosCategories the push categories that apps on iOS know
public record DeliverySettings(
    Map<Channel, Integer> slots,
    Map<DeliveryProvider, Integer> ratePerSecond,
    Duration sendTimeout,
    Duration breakerWait,
    Set<String> iosCategories,
    RetryPolicy retries) {
  private static final int MAX_SECONDS_IN_FLIGHT = 5;

  public DeliverySettings {
    slots = Map.copyOf(slots);
    ratePerSecond = Map.copyOf(ratePerSecond);
    iosCategories = Set.copyOf(iosCategories);
  }

  public static DeliverySettings defaults() {
    return of(DeliveryLimits.defaults());
  }

  public static DeliverySettings of(DeliveryLimits limits) {
    return new DeliverySettings(
        limits.slots(),
        limits.ratePerSecond(),
        Duration.ofMinutes(1),
        Duration.ofSeconds(10),
        limits.iosCategories(),
        RetryPolicy.defaults());
  }

  /// No more messages are in flight than the slowest provider of the channel takes in a few seconds.
  int slots(Channel channel) {
    int slowest =
        Arrays.stream(DeliveryProvider.values())
            .filter(provider -> provider.channel() == channel)
            .mapToInt(this::rate)
            .min()
            .orElse(1);
    return Math.min(slots.getOrDefault(channel, 1), slowest * MAX_SECONDS_IN_FLIGHT);
  }

  int rate(DeliveryProvider provider) {
    return ratePerSecond.getOrDefault(provider, 1);
  }
}
