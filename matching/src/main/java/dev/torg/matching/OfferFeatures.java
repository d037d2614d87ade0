package dev.torg.matching;

import dev.torg.matching.feature.Feature;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// An offer as matching sees it, analysed once. Immutable; any part may be missing, attributes may have several values.
public final class OfferFeatures {
  private final Feature[] categories;
  private final Feature[] regions;
  private final Feature[] facts;
  private final Field[] fields;
  private final OfferText text;

  /// The numbers an offer has in one field, in no order.
  public record Field(String name, long[] values) {}

  private OfferFeatures(Builder builder) {
    categories = builder.categories.toArray(Feature[]::new);
    regions = builder.regions.toArray(Feature[]::new);
    builder.numbers.keySet().forEach(name -> builder.facts.add(Feature.number(name)));
    facts = builder.facts.toArray(Feature[]::new);
    fields =
        builder.numbers.entrySet().stream()
            .map(e -> new Field(e.getKey(), e.getValue()))
            .toArray(Field[]::new);
    text = OfferText.of(builder.title, builder.description);
  }

  public static Builder builder() {
    return new Builder();
  }

  /// The category and its ancestors, topmost first.
  public Feature[] categories() {
    return categories;
  }

  /// The region and those above it, topmost first.
  public Feature[] regions() {
    return regions;
  }

  /// Everything else that is not a word: values, seller, photos, which numbers there are, the price's step.
  public Feature[] facts() {
    return facts;
  }

  public Field[] fields() {
    return fields;
  }

  public OfferText text() {
    return text;
  }

  static String regionPath(String path) {
    String plain = path.strip().toLowerCase(Locale.ROOT);
    int start = plain.startsWith("/") ? 1 : 0;
    int end = plain.length() > start && plain.endsWith("/") ? plain.length() - 1 : plain.length();
    String clean = plain.substring(start, end);
    if (clean.isEmpty()) {
      throw new InvalidQuery("regions", "A region is empty.");
    }
    return clean;
  }

  /// Attribute values compare as whole values, whatever their case.
  static String plainValue(String value) {
    return value.strip().toLowerCase(Locale.ROOT);
  }

  /// Collects an offer's parts. Repeated calls for one attribute add values.
  public static final class Builder {
    private final List<Feature> categories = new ArrayList<>();
    private final List<Feature> regions = new ArrayList<>();
    private final LinkedHashSet<Feature> facts = new LinkedHashSet<>();
    private final Map<String, long[]> numbers = new TreeMap<>();
    private String title = "";
    private String description = "";

    private Builder() {}

    /// The category with its ancestors, topmost first.
    public Builder categoryPath(List<String> ids) {
      ids.forEach(id -> categories.add(Feature.category(id)));
      return this;
    }

    /// A path such as `de/hessen/65474`.
    public Builder region(String path) {
      String clean = regionPath(path);
      for (int slash = clean.indexOf('/'); slash > 0; slash = clean.indexOf('/', slash + 1)) {
        regions.add(Feature.region(clean.substring(0, slash)));
      }
      regions.add(Feature.region(clean));
      return this;
    }

    public Builder price(long minorUnits, String currency) {
      String field = PriceBounds.field(currency.toUpperCase(Locale.ROOT));
      numbers.put(field, new long[] {minorUnits});
      facts.add(Feature.priceStep(field, Feature.step(minorUnits)));
      return this;
    }

    public Builder number(String key, BigDecimal value) {
      numbers.merge(key, new long[] {Decimals.micros(value)}, Builder::joined);
      return value(key, Decimals.plain(value));
    }

    public Builder number(String key, long value) {
      return number(key, BigDecimal.valueOf(value));
    }

    private static long[] joined(long[] first, long[] second) {
      long[] all = Arrays.copyOf(first, first.length + second.length);
      System.arraycopy(second, 0, all, first.length, second.length);
      return all;
    }

    public Builder value(String key, String value) {
      facts.add(Feature.value(key, plainValue(value)));
      return this;
    }

    public Builder flag(String key, boolean value) {
      return value(key, Boolean.toString(value));
    }

    public Builder seller(String id) {
      facts.add(Feature.seller(id));
      return this;
    }

    public Builder photos(boolean has) {
      if (has) {
        facts.add(Feature.photos());
      }
      return this;
    }

    public Builder title(String text) {
      title = text;
      return this;
    }

    public Builder description(String text) {
      description = text;
      return this;
    }

    public OfferFeatures build() {
      return new OfferFeatures(this);
    }
  }
}
