package dev.torg.bench.alerts;

import com.google.protobuf.Value;
import dev.torg.api.v1.Filter;
import dev.torg.api.v1.Money;
import dev.torg.api.v1.NumberRange;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.PriceRange;
import dev.torg.api.v1.SearchQuery;
import dev.torg.bench.workload.AdWorld;
import dev.torg.bench.workload.SampleOffer;
import dev.torg.bench.workload.SampleSearch;
import dev.torg.offers.category.Categories;
import dev.torg.offers.category.CategoryNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The generated site in Torg's own types: its category tree, searches and offers. Photos are
/// omitted on both sides, since they cannot be published with an offer.
final class Site {
  private static final String ATTRIBUTES =
      """
          - {key: year, type: integer, names: {en: Year}}
          - {key: mileageKm, type: integer, names: {en: Mileage}}
          - {key: size, type: integer, names: {en: Size}}
          - {key: brand, type: text, names: {en: Brand}}
          - {key: model, type: text, names: {en: Model}}
          - {key: color, type: text, names: {en: Colour}}
          - {key: condition, type: text, names: {en: Condition}}
          - {key: delivery, type: boolean, names: {en: Delivery}}
      """;

  private Site() {}

  /// Writes the tree as an operator would, for `--categories`.
  static Path writeCategories(Path file) throws IOException {
    StringBuilder yaml = new StringBuilder("categories:\n");
    for (int section = 0; section < AdWorld.SECTIONS; section++) {
      yaml.append("  - id: section%d\n    names: {en: Section}\n".formatted(section));
      yaml.append("    attributes:\n").append(ATTRIBUTES.indent(2)).append("    children:\n");
      for (int leaf = section; leaf < AdWorld.CATEGORIES; leaf += AdWorld.SECTIONS) {
        yaml.append("      - {id: leaf%d, names: {en: Leaf}}\n".formatted(leaf));
      }
    }
    return Files.writeString(file, yaml);
  }

  /// The same tree, as far as matching needs it.
  static Categories categories() {
    List<CategoryNode> roots = new ArrayList<>();
    for (int section = 0; section < AdWorld.SECTIONS; section++) {
      String id = "section" + section;
      List<CategoryNode> leaves = new ArrayList<>();
      for (int leaf = section; leaf < AdWorld.CATEGORIES; leaf += AdWorld.SECTIONS) {
        leaves.add(category("leaf" + leaf, Optional.of(id), List.of()));
      }
      roots.add(category(id, Optional.empty(), leaves));
    }
    return new Categories(roots);
  }

  private static CategoryNode category(
      String id, Optional<String> parent, List<CategoryNode> children) {
    return new CategoryNode(id, parent, Map.of(), Map.of(), children, false, false);
  }

  static Offer offer(SampleOffer sample) {
    Offer.Builder offer =
        Offer.newBuilder()
            .setCategory(sample.categoryPath().getLast())
            .setTitle(sample.title())
            .setDescription(sample.description())
            .setRegion(sample.region())
            .setPrice(money(sample.price()));
    sample
        .numbers()
        .forEach(
            (key, number) ->
                offer.putAttributes(key, Value.newBuilder().setNumberValue(number).build()));
    sample
        .values()
        .forEach(
            (key, text) ->
                offer.putAttributes(key, Value.newBuilder().setStringValue(text).build()));
    sample
        .flags()
        .forEach(
            (key, flag) -> offer.putAttributes(key, Value.newBuilder().setBoolValue(flag).build()));
    return offer.build();
  }

  static SearchQuery query(SampleSearch sample) {
    SearchQuery.Builder query =
        SearchQuery.newBuilder().setText(sample.text()).addAllRegions(sample.regions());
    if (sample.category() != null) {
      query.setCategory(sample.category());
    }
    if (sample.priceFrom() != null || sample.priceTo() != null) {
      query.setPrice(price(sample.priceFrom(), sample.priceTo()));
    }
    sample.ranges().forEach((key, range) -> query.addFilters(filter(key).setRange(numbers(range))));
    sample.anyOf().forEach((key, values) -> query.addFilters(filter(key).addAllAnyOf(values)));
    sample.noneOf().forEach((key, values) -> query.addFilters(filter(key).addAllNoneOf(values)));
    sample.flags().forEach((key, flag) -> query.addFilters(filter(key).setIs(flag)));
    return query.build();
  }

  private static Filter.Builder filter(String key) {
    return Filter.newBuilder().setKey(key);
  }

  private static NumberRange numbers(SampleSearch.Range range) {
    NumberRange.Builder numbers = NumberRange.newBuilder();
    if (range.from() != null) {
      numbers.setFrom(range.from());
    }
    if (range.to() != null) {
      numbers.setTo(range.to());
    }
    return numbers.build();
  }

  private static PriceRange price(@Nullable Long from, @Nullable Long to) {
    PriceRange.Builder price = PriceRange.newBuilder();
    if (from != null) {
      price.setFrom(money(from));
    }
    if (to != null) {
      price.setTo(money(to));
    }
    return price.build();
  }

  private static Money money(long amount) {
    return Money.newBuilder().setAmount(amount).setCurrency(AdWorld.CURRENCY).build();
  }
}
