package dev.torg.server.config;

import dev.torg.promotions.PriceSettings;
import dev.torg.promotions.PriceSettings.PricingService;
import java.util.Optional;

/// Reads where the prices of promotion services come from.
final class PriceSettingsReader {
  private PriceSettingsReader() {}

  static PriceSettings of(SettingReader read) {
    String token = token(read);
    if (read.text(Setting.PROMOTION_PRICE_URL).isEmpty()) {
      if (!token.isEmpty()) {
        throw SettingReader.invalid(
            Setting.PROMOTION_PRICE_URL,
            "must be given with " + Setting.PROMOTION_PRICE_TOKEN.key());
      }
      return new PriceSettings(read.file(Setting.PROMOTION_PRICES), Optional.empty());
    }
    return new PriceSettings(
        read.file(Setting.PROMOTION_PRICES),
        Optional.of(new PricingService(read.url(Setting.PROMOTION_PRICE_URL), token)));
  }

  /// It becomes a part of a header.
  private static String token(SettingReader read) {
    String token = read.value(Setting.PROMOTION_PRICE_TOKEN);
    if (!token.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw SettingReader.invalid(
          Setting.PROMOTION_PRICE_TOKEN, "must be visible ASCII characters without spaces");
    }
    return token;
  }
}
