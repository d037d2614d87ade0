package dev.torg.bench.feed;

import com.google.protobuf.Value;
import dev.torg.api.v1.Money;
import dev.torg.api.v1.Offer;
import java.util.SplittableRandom;

/// Items of a shop's feed, about 800 bytes each, the same for the same number.
///
/// @param count numbers from 0
/// @param version what changed items contain
/// @param changedEvery every how many items one is changed; 0: none
/// @param removedEvery every how many items one is missing; 0: none
record FeedItems(int count, int version, int changedEvery, int removedEvery) {
  private static final int DESCRIPTIONS = 512;
  private static final int LETTERS = 450;
  private static final String[] TEXTS = texts();

  boolean has(int number) {
    return removedEvery == 0 || number % removedEvery != 3;
  }

  /// The number of items in the feed.
  int size() {
    int size = 0;
    for (int i = 0; i < count; i++) {
      size += has(i) ? 1 : 0;
    }
    return size;
  }

  static String externalId(int number) {
    return "sku-" + number;
  }

  String title(int number) {
    return "Volkswagen Golf Variant number " + number + " of " + versionOf(number);
  }

  long price(int number) {
    return 500_000 + 100L * (number % 1_000) + versionOf(number);
  }

  String json(int number) {
    return """
        {"externalId":"%s","category":"cars","title":"%s","description":"%s","price":{"amount":"%d","currency":"EUR"},\
        "region":"de/hessen/65474","attributes":{"brand":"Volkswagen","model":"Golf","year":%d,"mileageKm":%d,"fuel":"diesel"}}
        """
        .formatted(
            externalId(number),
            title(number),
            TEXTS[number % DESCRIPTIONS],
            price(number),
            2000 + number % 25,
            1000 * (number % 300));
  }

  Offer offer(int number) {
    return Offer.newBuilder()
        .setExternalId(externalId(number))
        .setCategory("cars")
        .setTitle(title(number))
        .setDescription(TEXTS[number % DESCRIPTIONS])
        .setPrice(Money.newBuilder().setAmount(price(number)).setCurrency("EUR"))
        .setRegion("de/hessen/65474")
        .putAttributes("brand", text("Volkswagen"))
        .putAttributes("model", text("Golf"))
        .putAttributes("year", number(2000 + number % 25))
        .putAttributes("mileageKm", number(1000.0 * (number % 300)))
        .putAttributes("fuel", text("diesel"))
        .build();
  }

  private int versionOf(int number) {
    return changedEvery > 0 && number % changedEvery == 1 ? version : 0;
  }

  private static String[] texts() {
    SplittableRandom random = new SplittableRandom(11);
    String[] texts = new String[DESCRIPTIONS];
    for (int i = 0; i < DESCRIPTIONS; i++) {
      StringBuilder text = new StringBuilder(LETTERS + 16);
      while (text.length() < LETTERS) {
        int length = 2 + random.nextInt(9);
        for (int letter = 0; letter < length; letter++) {
          text.append((char) ('a' + random.nextInt(26)));
        }
        text.append(' ');
      }
      texts[i] = text.toString();
    }
    return texts;
  }

  private static Value text(String value) {
    return Value.newBuilder().setStringValue(value).build();
  }

  private static Value number(double value) {
    return Value.newBuilder().setNumberValue(value).build();
  }
}
