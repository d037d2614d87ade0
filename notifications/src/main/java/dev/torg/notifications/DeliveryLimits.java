package dev.torg.notifications;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/// The operator's settings of deliveries.
///
/// @param slots messages of a channel in flight at once, by process
/// @param ratePerSecond messages to a provider per second, by process
/// @param iosCategories the push categories that apps on iOS know
public record DeliveryLimits(
    Map<Channel, Integer> slots,
    Map<DeliveryProvider, Integer> ratePerSecond,
    Set<String> iosCategories) {
  public DeliveryLimits {
    slots = Map.copyOf(slots);
    ratePerSecond = Map.copyOf(ratePerSecond);
    iosCategories = Set.copyOf(iosCategories);
  }

  public static DeliveryLimits defaults() {
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
    return new DeliveryLimits(
        Map.of(Channel.EMAIL, 64, Channel.SMS, 32, Channel.PUSH, 2_048, Channel.WEBHOOK, 512),
        rates,
        Set.of());
  }
}
