package dev.torg.bench.workload;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.StringJoiner;

/// The generated site (see the package): draws offers and searches from one population. Not
/// thread-safe; two worlds with one seed and scale draw the same.
public final class AdWorld {
  public static final String CURRENCY = "EUR";

  /// Category `leaf<n>` is in section `section<n mod SECTIONS>`.
  public static final int SECTIONS = 12;

  public static final int CATEGORIES = 144;
  private static final int MODELS = 30;
  private static final int AREAS = 40;
  private static final int TOPIC_WORDS = 800;
  private static final String[] COLORS = {
    "black", "white", "grey", "blue", "red", "green", "brown", "yellow", "beige", "orange"
  };
  private static final String[] CONDITIONS = {"used", "new", "for-parts"};

  private final SplittableRandom random;
  private final int brands;
  private final Zipf category = new Zipf(CATEGORIES, 0.9);
  private final Zipf brand;
  private final Zipf model = new Zipf(MODELS, 0.8);
  private final Zipf area = new Zipf(AREAS, 0.6);
  private final Zipf city;
  private final Zipf common;
  private final Zipf topic = new Zipf(TOPIC_WORDS, 1.0);
  private final Zipf color = new Zipf(COLORS.length, 0.8);

  /// `searches` is the size of the site that offers and searches belong to, independent of how many
  /// are drawn.
  public AdWorld(long seed, int searches) {
    random = new SplittableRandom(seed);
    // With these exponents the probability that a search matches an offer falls about as fast as
    // the site grows.
    double scale = Math.max(0.1, searches / 1_000_000.0);
    brands = (int) Math.round(60 * Math.sqrt(scale));
    brand = new Zipf(Math.max(10, brands), 0.7);
    city = new Zipf((int) Math.max(10, Math.round(50 * Math.pow(scale, 0.8))), 0.5);
    common = new Zipf((int) Math.max(20_000, Math.round(60_000 * Math.sqrt(scale))), 1.1);
  }

  public SampleOffer offer() {
    return offer(category.draw(random), 30 + random.nextInt(171));
  }

  /// An offer in the most popular category.
  public SampleOffer hotOffer() {
    return offer(0, 30 + random.nextInt(171));
  }

  /// An offer with as much text as an offer may have.
  public SampleOffer longOffer() {
    return offer(category.draw(random), 5_300);
  }

  private SampleOffer offer(int leaf, int words) {
    int make = brand.draw(random);
    int type = model.draw(random);
    Map<String, Long> numbers = new LinkedHashMap<>();
    numbers.put("year", year());
    numbers.put("mileageKm", mileage());
    numbers.put("size", 20L + random.nextInt(180));
    Map<String, String> values = new LinkedHashMap<>();
    values.put("brand", brandName(leaf, make));
    values.put("model", modelName(leaf, make, type));
    values.put("color", COLORS[color.draw(random)]);
    values.put("condition", condition());
    String title = brandName(leaf, make) + " " + modelName(leaf, make, type) + " " + text(leaf, 3);
    return new SampleOffer(
        "user:" + random.nextInt(1_000_000),
        path(leaf),
        region(),
        price(leaf),
        numbers,
        values,
        Map.of("delivery", random.nextInt(4) == 0),
        random.nextInt(10) < 9,
        title,
        text(leaf, words - 5));
  }

  public SampleSearch search(Mix mix) {
    return switch (mix) {
      case NARROW -> narrow();
      case BROAD -> broad();
      case HOT_KEY -> hot();
    };
  }

  private SampleSearch narrow() {
    int leaf = category.draw(random);
    int make = brand.draw(random);
    Map<String, List<String>> anyOf = new LinkedHashMap<>();
    int kind = random.nextInt(100);
    boolean named = true;
    if (kind < 40) {
      anyOf.put("model", List.of(modelName(leaf, make, model.draw(random))));
    } else if (kind < 65) {
      anyOf.put("brand", List.of(brandName(leaf, make)));
    } else if (kind < 75) {
      anyOf.put(
          "brand",
          List.of(
              brandName(leaf, make),
              brandName(leaf, brand.draw(random)),
              brandName(leaf, brand.draw(random))));
    } else {
      named = false;
    }
    if (chance(10)) {
      anyOf.put("color", List.of(COLORS[color.draw(random)], COLORS[color.draw(random)]));
    }
    List<String> regions = new ArrayList<>();
    int where = random.nextInt(100);
    for (int i = 0; i < (where < 55 ? 1 : where < 75 ? 2 + random.nextInt(2) : 0); i++) {
      regions.add(region());
    }
    if (where >= 75 && where < 90) {
      regions.add(areaOnly());
    }
    String text =
        text(
            leaf,
            named ? (chance(35) ? 1 + random.nextInt(2) : 0) : 1 + random.nextInt(3),
            chance(12),
            chance(6));
    Map<String, List<String>> noneOf =
        chance(8) ? Map.of("condition", List.of("for-parts")) : Map.of();
    long level = price(leaf);
    return new SampleSearch(
        "leaf" + leaf,
        regions,
        chance(25) ? level / 2 : null,
        chance(60) ? level : null,
        ranges(40),
        anyOf,
        noneOf,
        chance(5) ? Map.of("delivery", true) : Map.of(),
        text,
        chance(8));
  }

  private SampleSearch broad() {
    int leaf = category.draw(random);
    int kind = random.nextInt(100);
    String category = kind < 60 ? "leaf" + leaf : kind < 75 ? "section" + leaf % SECTIONS : null;
    List<String> regions = kind >= 75 || chance(30) ? List.of(areaOnly()) : List.of();
    String text = category == null || chance(25) ? text(leaf, 1, false, false) : "";
    long level = price(leaf);
    return new SampleSearch(
        category,
        regions,
        chance(40) ? level / 3 : null,
        chance(80) ? level : null,
        ranges(20),
        Map.of(),
        Map.of(),
        Map.of(),
        text,
        chance(10));
  }

  private SampleSearch hot() {
    long level = price(0);
    long from = level - level / 4 - random.nextInt(1_000);
    String text = chance(40) ? text(0, 1, false, false) : "";
    return new SampleSearch(
        "leaf0",
        List.of(),
        Math.max(0, from),
        level + random.nextInt(1_000),
        ranges(100),
        Map.of(),
        Map.of(),
        Map.of(),
        text,
        false);
  }

  private Map<String, SampleSearch.Range> ranges(int percent) {
    if (!chance(percent)) {
      return Map.of();
    }
    return switch (random.nextInt(3)) {
      case 0 -> Map.of("year", new SampleSearch.Range(year(), null));
      case 1 -> Map.of("mileageKm", new SampleSearch.Range(null, mileage()));
      default -> sizes();
    };
  }

  private Map<String, SampleSearch.Range> sizes() {
    long size = 20L + random.nextInt(150);
    return Map.of("size", new SampleSearch.Range(size, size + 10 + random.nextInt(50)));
  }

  private String text(int leaf, int words) {
    StringJoiner text = new StringJoiner(" ");
    for (int i = 0; i < words; i++) {
      text.add(word(leaf));
    }
    return text.toString();
  }

  private String text(int leaf, int words, boolean phrase, boolean excluded) {
    StringJoiner text = new StringJoiner(" ");
    for (int i = 0; i < words; i++) {
      text.add(searchWord(leaf));
    }
    if (phrase) {
      text.add('"' + searchWord(leaf) + ' ' + searchWord(leaf) + '"');
    }
    if (excluded) {
      text.add("-" + searchWord(leaf));
    }
    return text.toString();
  }

  private String word(int leaf) {
    return random.nextInt(10) < 6 ? Lexicon.word(common.draw(random), random) : searchWord(leaf);
  }

  /// Users search for the words of a category, not for 'and' and 'for sale'.
  private String searchWord(int leaf) {
    return Lexicon.word(1_000_000 + leaf * TOPIC_WORDS + topic.draw(random), random);
  }

  private static List<String> path(int leaf) {
    return List.of("section" + leaf % SECTIONS, "leaf" + leaf);
  }

  private String region() {
    return areaOnly() + "/city" + city.draw(random);
  }

  private String areaOnly() {
    return "land/area" + area.draw(random);
  }

  private static String brandName(int leaf, int make) {
    return Lexicon.name(leaf * 1_000 + make);
  }

  private static String modelName(int leaf, int make, int type) {
    return Lexicon.name(1_000_000 + leaf * 30_000 + make * MODELS + type);
  }

  private String condition() {
    return CONDITIONS[Math.min(2, random.nextInt(8) / 3)];
  }

  private long year() {
    return 2025 - (long) Math.min(35, -Math.log(1 - random.nextDouble()) * 8);
  }

  private long mileage() {
    return 1_000L * (long) Math.min(400, -Math.log(1 - random.nextDouble()) * 90);
  }

  /// Log-normal around the category's level, in cents, rounded as sellers do.
  private long price(int leaf) {
    double level = 2_000 * Math.pow(1.06, leaf % 100);
    double price = level * Math.exp(gaussian() * 0.8);
    long rounded = Math.max(1, Math.round(price / 50)) * 50;
    return rounded * 100;
  }

  private double gaussian() {
    return Math.sqrt(-2 * Math.log(1 - random.nextDouble()))
        * Math.cos(2 * Math.PI * random.nextDouble());
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }
}
