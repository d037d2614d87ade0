package dev.torg.bench.offers;

import com.google.protobuf.Value;
import dev.torg.api.v1.Money;
import dev.torg.api.v1.Offer;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;

/// Car ads of about 2 kB. The descriptions are generated beforehand to keep the cost of the driver
/// low.
public final class Texts {
  private static final int DESCRIPTIONS = 256;
  private static final int LETTERS = 1_750;

  private final String[] descriptions = new String[DESCRIPTIONS];

  public Texts() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < DESCRIPTIONS; i++) {
      descriptions[i] = description(random);
    }
  }

  /// One of many texts and prices for the same car: a typical edit of a seller.
  public Offer offer(int index) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return Offer.newBuilder()
        .setCategory("cars")
        .setTitle("Volkswagen Golf Variant number " + index)
        .setDescription(descriptions[random.nextInt(DESCRIPTIONS)])
        .setPrice(
            Money.newBuilder().setAmount(500_000 + 1_000L * random.nextInt(100)).setCurrency("EUR"))
        .setRegion("de/hessen/65474")
        .putAttributes("brand", text("Volkswagen"))
        .putAttributes("model", text("Golf"))
        .putAttributes("year", number(2000 + index % 25))
        .putAttributes("mileageKm", number(1000.0 * (index % 300)))
        .putAttributes("fuel", text("diesel"))
        .build();
  }

  private static String description(SplittableRandom random) {
    StringBuilder text = new StringBuilder(LETTERS + 16);
    while (text.length() < LETTERS) {
      int length = 2 + random.nextInt(9);
      for (int i = 0; i < length; i++) {
        text.append((char) ('a' + random.nextInt(26)));
      }
      text.append(' ');
    }
    return text.toString();
  }

  private static Value text(String value) {
    return Value.newBuilder().setStringValue(value).build();
  }

  private static Value number(double value) {
    return Value.newBuilder().setNumberValue(value).build();
  }
}
