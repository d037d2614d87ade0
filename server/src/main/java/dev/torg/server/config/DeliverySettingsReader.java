package dev.torg.server.config;

import dev.torg.notifications.Channel;
import dev.torg.notifications.DeliveryLimits;
import dev.torg.notifications.DeliveryProvider;
import java.util.EnumMap;
import java.util.Map;

/// Reads how fast a process delivers on the channels besides the bell.
final class DeliverySettingsReader {
  private static final int MAX_RATE = 1_000_000;
  private static final int MAX_SLOTS = 100_000;

  private DeliverySettingsReader() {}

  static DeliveryLimits of(SettingReader read) {
    return new DeliveryLimits(slots(read), rates(read), read.words(Setting.PUSH_APNS_CATEGORIES));
  }

  private static Map<DeliveryProvider, Integer> rates(SettingReader read) {
    Map<DeliveryProvider, Integer> rates = new EnumMap<>(DeliveryProvider.class);
    for (DeliveryProvider provider : DeliveryProvider.values()) {
      rates.put(provider, read.number(rate(provider), 1, MAX_RATE));
    }
    return rates;
  }

  private static Setting rate(DeliveryProvider provider) {
    return switch (provider) {
      case EMAIL -> Setting.DELIVERY_RATE_EMAIL;
      case SMS -> Setting.DELIVERY_RATE_SMS;
      case WEB_PUSH -> Setting.DELIVERY_RATE_WEB_PUSH;
      case APNS -> Setting.DELIVERY_RATE_APNS;
      case FCM -> Setting.DELIVERY_RATE_FCM;
      case WEBHOOK -> Setting.DELIVERY_RATE_WEBHOOK;
    };
  }

  private static Map<Channel, Integer> slots(SettingReader read) {
    Map<Channel, Integer> slots = new EnumMap<>(Channel.class);
    for (Channel channel : Channel.values()) {
      slots.put(channel, read.number(slots(channel), 1, MAX_SLOTS));
    }
    return slots;
  }

  private static Setting slots(Channel channel) {
    return switch (channel) {
      case EMAIL -> Setting.DELIVERY_SLOTS_EMAIL;
      case SMS -> Setting.DELIVERY_SLOTS_SMS;
      case PUSH -> Setting.DELIVERY_SLOTS_PUSH;
      case WEBHOOK -> Setting.DELIVERY_SLOTS_WEBHOOK;
    };
  }
}
