package dev.torg.notifications.dispatch;

import dev.torg.notifications.Channel;
import dev.torg.notifications.channel.DeliveryProvider;
import dev.torg.notifications.operation.RetryPolicy;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
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
    Map<DeliveryProvider, Integer> rates = new EnumMap<>(DeliveryProvider.class);
    for (DeliveryProvider provider : DeliveryProvider.values()) {
      rates.put(
          provider,
          switch (provider) {
            case EMAIL -> 200;
            case SMS -> 50;
            case WEB_PUSH, APNS, FCM -> 20_000;
            case WEBHOOK -> 2_000;
          });
    }
    return new DeliverySettings(
        Map.of(Channel.EMAIL, 64, Channel.SMS, 32, Channel.PUSH, 2_048, Channel.WEBHOOK, 512),
        rates,
        Duration.ofMinutes(1),
        Duration.ofSeconds(10),
        Set.of(),
        RetryPolicy.defaults());
  }

  public DeliverySettings withSlots(Map<Channel, Integer> slots) {
    return new DeliverySettings(
        slots, ratePerSecond, sendTimeout, breakerWait, iosCategories, retries);
  }

  public DeliverySettings withRates(Map<DeliveryProvider, Integer> rates) {
    return new DeliverySettings(slots, rates, sendTimeout, breakerWait, iosCategories, retries);
  }

  public DeliverySettings withIosCategories(Set<String> categories) {
    return new DeliverySettings(
        slots, ratePerSecond, sendTimeout, breakerWait, categories, retries);
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
