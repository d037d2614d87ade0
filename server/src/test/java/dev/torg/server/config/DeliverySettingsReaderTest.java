package dev.torg.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.notifications.Channel;
import dev.torg.notifications.DeliveryLimits;
import dev.torg.notifications.DeliveryProvider;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DeliverySettingsReaderTest {
  private static DeliveryLimits settings(Map<Setting, String> values) {
    Map<Setting, String> options = new EnumMap<>(Setting.class);
    options.putAll(values);
    return Configuration.of(SettingValues.read(options, Map.of(), Optional.empty())).delivery();
  }

  @Test
  void of_noSettings_areTheDefaults() {
    assertThat(settings(Map.of())).isEqualTo(DeliveryLimits.defaults());
  }

  @Test
  void of_everyRateAndNumberOfSlots_isOfItsProviderOrChannel() {
    Map<Setting, String> values = new HashMap<>();
    for (DeliveryProvider provider : DeliveryProvider.values()) {
      values.put(
          Setting.valueOf("DELIVERY_RATE_" + provider.name()), "" + (1_000 + provider.ordinal()));
    }
    for (Channel channel : Channel.values()) {
      values.put(
          Setting.valueOf("DELIVERY_SLOTS_" + channel.name()), "" + (10 + channel.ordinal()));
    }
    DeliveryLimits settings = settings(values);
    for (DeliveryProvider provider : DeliveryProvider.values()) {
      assertThat(settings.ratePerSecond()).containsEntry(provider, 1_000 + provider.ordinal());
    }
    for (Channel channel : Channel.values()) {
      assertThat(settings.slots()).containsEntry(channel, 10 + channel.ordinal());
    }
  }

  @Test
  void of_categoriesOfTheApp_areThoseOfTheDelivery() {
    assertThat(settings(Map.of(Setting.PUSH_APNS_CATEGORIES, "SALE, NEW_OFFER,")).iosCategories())
        .containsExactlyInAnyOrder("SALE", "NEW_OFFER");
  }
}
