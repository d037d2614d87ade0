package dev.torg.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.promotions.PriceSettings;
import dev.torg.promotions.PriceSettings.PricingService;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PriceSettingsReaderTest {
  private static final String URL = "https://prices.example/v1";

  private static PriceSettings settings(Map<Setting, String> values) {
    Map<Setting, String> options = new EnumMap<>(Setting.class);
    options.putAll(values);
    return Configuration.of(SettingValues.read(options, Map.of(), Optional.empty()))
        .promotionPrices();
  }

  @Test
  void of_noSettings_areTheDefaults() {
    assertThat(settings(Map.of())).isEqualTo(PriceSettings.defaults());
  }

  @Test
  void of_fileAndService_areBothUsed(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("prices.yaml"), "");
    PriceSettings settings =
        settings(
            Map.of(
                Setting.PROMOTION_PRICES,
                file.toString(),
                Setting.PROMOTION_PRICE_URL,
                URL,
                Setting.PROMOTION_PRICE_TOKEN,
                "abc"));
    assertThat(settings)
        .isEqualTo(
            new PriceSettings(
                Optional.of(file), Optional.of(new PricingService(URI.create(URL), "abc"))));
    assertThat(settings.toString()).doesNotContain("abc");
  }

  @Test
  void of_tokenAlone_orUnusableInAHeader_isRefused() {
    assertThatThrownBy(() -> settings(Map.of(Setting.PROMOTION_PRICE_TOKEN, "abc")))
        .hasMessageContaining("promotion-price-url");
    assertThatThrownBy(
            () ->
                settings(
                    Map.of(
                        Setting.PROMOTION_PRICE_URL, URL, Setting.PROMOTION_PRICE_TOKEN, "a\nb")))
        .hasMessageContaining("promotion-price-token");
  }
}
