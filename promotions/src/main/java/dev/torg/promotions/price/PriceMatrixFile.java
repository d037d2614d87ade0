package dev.torg.promotions.price;

import dev.torg.offers.category.Categories;
import dev.torg.offers.category.OfferValidator;
import dev.torg.platform.Money;
import dev.torg.platform.yaml.YamlErrors;
import dev.torg.platform.yaml.YamlMap;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// Reads the price matrix from YAML. An invalid file is rejected as a whole, and all its errors are reported.
public final class PriceMatrixFile {
  private static final String DEFAULT_MATRIX = "/torg/promotion-prices.yaml";

  private final String origin;
  private final Categories categories;
  private final YamlErrors errors = new YamlErrors();
  private final Map<String, ServiceDefinition> services = new LinkedHashMap<>();

  private PriceMatrixFile(String origin, Categories categories) {
    this.origin = origin;
    this.categories = categories;
  }

  /// The matrix shipped with Torg. If the operator has replaced the category tree, rows for categories that it lacks are
  /// ignored.
  public static PriceMatrix defaults(Categories categories) {
    try (InputStream file =
        Objects.requireNonNull(PriceMatrixFile.class.getResourceAsStream(DEFAULT_MATRIX))) {
      String yaml = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      return new PriceMatrixFile("the default prices", categories)
          .parse(yaml, row -> row.category().flatMap(categories::find).isPresent());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The operator's matrix.
  public static PriceMatrix read(Path path, Categories categories) {
    try {
      return parse(path.toString(), Files.readString(path), categories);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the prices in " + path, e);
    }
  }

  static PriceMatrix parse(String origin, String yaml, Categories categories) {
    return new PriceMatrixFile(origin, categories).parse(yaml, _ -> true);
  }

  /// @param used selects among rows with a category
  private PriceMatrix parse(String yaml, Predicate<PriceRow> used) {
    YamlMap root = YamlMap.parse(origin, yaml, errors);
    String currency = currency(root);
    services(root.map("services"));
    List<PriceRow> rows = new ArrayList<>();
    for (YamlMap node : root.maps("prices")) {
      PriceRow row = row(node);
      if (row.category().isEmpty() || used.test(row)) {
        rows.add(row);
        requireCategory(node, row);
      }
    }
    root.refuseOthers();
    requireDistinct(rows);
    requireDefaults(rows, currency);
    errors.refuse(origin);
    return new PriceMatrix(categories, currency, new ServiceCatalog(services), rows);
  }

  private String currency(YamlMap root) {
    String currency = root.text("currency").orElse("");
    requireCurrency(root.at("currency"), currency);
    return currency;
  }

  private void requireCurrency(String path, String currency) {
    if (!Money.violations("", 0, currency).isEmpty()) {
      errors.add(path, "must be the ISO 4217 code of a currency like EUR");
    }
  }

  private void services(YamlMap nodes) {
    for (String name : nodes.keys()) {
      if (!ServiceDefinition.isName(name)) {
        errors.add(
            nodes.at(name), "must be lower-case letters, digits and dashes, at most 40 of them");
      }
      YamlMap node = nodes.map(name);
      Duration duration = duration(node, "duration").orElse(PricedService.MIN_DURATION);
      if (!node.keys().contains("duration")) {
        errors.add(node.at("duration"), "is missing");
      }
      services.put(
          name,
          new ServiceDefinition(
              name, duration, node.flag("extendable", false), node.texts("includes")));
      node.refuseOthers();
    }
    if (services.isEmpty() || services.size() > ServiceCatalog.MAX_SERVICES) {
      errors.add("services", "must be 1 to " + ServiceCatalog.MAX_SERVICES);
    }
    services.values().forEach(this::requireParts);
  }

  private void requireParts(ServiceDefinition bundle) {
    String path = "services." + bundle.name() + ".includes";
    if (new HashSet<>(bundle.parts()).size() < bundle.parts().size()) {
      errors.add(path, "names a service twice");
    }
    for (String part : bundle.parts()) {
      ServiceDefinition service = services.get(part);
      if (service == null) {
        errors.add(path, "there is no service " + part);
      } else if (service.isBundle()) {
        errors.add(path, part + " is a bundle itself");
      }
    }
  }

  private PriceRow row(YamlMap node) {
    String region = node.text("region").orElse("");
    if (!region.isEmpty() && !OfferValidator.isRegion(region)) {
      errors.add(node.at("region"), "must be a path of lower-case segments like de/hessen");
    }
    PriceRow row =
        new PriceRow(
            node.text("category"),
            region,
            amounts(node.map("amounts")),
            durations(node.map("durations")));
    node.refuseOthers();
    if (row.prices().isEmpty() && row.durations().isEmpty()) {
      errors.add(node.at("amounts"), "must not be empty unless there are durations");
    }
    return row;
  }

  private void requireCategory(YamlMap node, PriceRow row) {
    if (row.category().isPresent() && categories.find(row.category().get()).isEmpty()) {
      errors.add(node.at("category"), "there is no category " + row.category().get());
    }
  }

  /// By currency and service.
  private Map<String, Map<String, Long>> amounts(YamlMap node) {
    Map<String, Map<String, Long>> amounts = new LinkedHashMap<>();
    for (String currency : node.keys()) {
      requireCurrency(node.at(currency), currency);
      amounts.put(currency, amountsOfCurrency(node.map(currency)));
    }
    return amounts;
  }

  private Map<String, Long> amountsOfCurrency(YamlMap node) {
    Map<String, Long> amounts = new LinkedHashMap<>();
    for (String service : node.keys()) {
      requireService(node, service);
      long amount = node.wholeNumber(service).orElse(0);
      if (!PricedService.isPrice(amount)) {
        errors.add(
            node.at(service), "must be 1 to " + PricedService.MAX_AMOUNT + ", in minor units");
      }
      amounts.put(service, amount);
    }
    return amounts;
  }

  private Map<String, Duration> durations(YamlMap node) {
    Map<String, Duration> durations = new LinkedHashMap<>();
    for (String service : node.keys()) {
      requireService(node, service);
      duration(node, service).ifPresent(duration -> durations.put(service, duration));
    }
    return durations;
  }

  private void requireService(YamlMap node, String service) {
    if (!services.containsKey(service)) {
      errors.add(node.at(service), "is not one of the services above");
    }
  }

  private Optional<Duration> duration(YamlMap node, String key) {
    Optional<Duration> duration = node.text(key).flatMap(PriceMatrixFile::parsed);
    if (node.keys().contains(key) && duration.isEmpty()) {
      errors.add(node.at(key), "must be a duration like PT24H or P7D, one minute to 366 days");
    }
    return duration;
  }

  private static Optional<Duration> parsed(String text) {
    try {
      return Optional.of(Duration.parse(text)).filter(PricedService::isDuration);
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  private void requireDistinct(List<PriceRow> rows) {
    Set<String> seen = new HashSet<>();
    for (PriceRow row : rows) {
      String place =
          "category " + row.category().orElse("(all)") + ", region " + orAll(row.region());
      if (!seen.add(place)) {
        errors.add("prices", "there are two rows for " + place);
      }
    }
  }

  private static String orAll(String region) {
    return region.isEmpty() ? "(all)" : region;
  }

  /// So that every offer has a price, also one of a category that is no longer in the tree.
  private void requireDefaults(List<PriceRow> rows, String currency) {
    Set<String> missing = new HashSet<>(services.keySet());
    rows.stream()
        .filter(row -> row.category().isEmpty() && row.region().isEmpty())
        .forEach(row -> missing.removeAll(row.prices().getOrDefault(currency, Map.of()).keySet()));
    missing.stream()
        .sorted()
        .forEach(
            service ->
                errors.add(
                    "prices",
                    "needs a row without category and region that has the price of %s in %s"
                        .formatted(service, currency)));
  }
}
