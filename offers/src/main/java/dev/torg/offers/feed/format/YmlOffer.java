package dev.torg.offers.feed.format;

import dev.torg.offers.category.AttributeSchema;
import dev.torg.offers.category.CategoryNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// One `<offer>` as read, and the item built from it.
final class YmlOffer {
  /// The approximate memory of an element in addition to its name and text, in bytes.
  private static final int ELEMENT_OVERHEAD_BYTES = 64;

  /// The parameter that names promotion services; it is no attribute.
  private static final String PROMOTE = "promote";

  private final int line;
  private final String id;
  private final Map<String, String> texts = new HashMap<>();
  private final List<String> pictures = new ArrayList<>();
  private final Map<String, String> params = new HashMap<>();
  private int bytes;
  private Optional<String> promote = Optional.empty();
  private String code = "";
  private String problem = "";

  YmlOffer(int line, String id) {
    this.line = line;
    this.id = id.strip();
    this.bytes = id.length();
  }

  int line() {
    return line;
  }

  /// Whether the offer may grow by this many characters; otherwise the item becomes invalid.
  boolean accepts(int characters) {
    bytes = (int) Math.min(Integer.MAX_VALUE, (long) bytes + characters);
    if (bytes > FeedEntry.MAX_BYTES && problem.isEmpty()) {
      code = "feed.item-too-large";
      problem = "the offer is larger than " + FeedEntry.MAX_BYTES + " characters";
    }
    return bytes <= FeedEntry.MAX_BYTES;
  }

  /// As [#accepts], for an element with a name of this length.
  boolean acceptsElement(int characters) {
    return accepts(ELEMENT_OVERHEAD_BYTES + characters);
  }

  void unknownEntity(String name) {
    code = "feed.entity";
    problem = "the entity &" + name + "; is not known";
  }

  void element(String name, String text) {
    if (name.equals("picture")) {
      pictures.add(text);
    } else {
      texts.putIfAbsent(name, text);
    }
  }

  void param(String name, String text) {
    if (name.strip().equalsIgnoreCase(PROMOTE)) {
      promote = promote.or(() -> Optional.of(text));
    } else {
      params.putIfAbsent(name.strip(), text);
    }
  }

  FeedEntry entry(YmlCategories categories) {
    if (!problem.isEmpty()) {
      return new FeedEntry.Invalid(line, id, code, problem, fingerprint());
    }
    try {
      return item(categories).build(line, bytes);
    } catch (InvalidItemException e) {
      return e.at(line, fingerprint());
    }
  }

  private long fingerprint() {
    return ItemBuilder.fingerprint(id + texts);
  }

  private ItemBuilder item(YmlCategories categories) throws InvalidItemException {
    String categoryId = text("categoryId");
    CategoryNode category =
        categories
            .find(categoryId)
            .orElseThrow(
                () ->
                    new InvalidItemException(
                        "feed.category",
                        "the category "
                            + categories.name(categoryId)
                            + " is not mapped to one of ours",
                        id));
    ItemBuilder item = new ItemBuilder();
    item.offer.setExternalId(id).setCategory(category.id()).setTitle(title());
    item.offer.setDescription(text("description"));
    attributes(category, item);
    if (!text("price").isEmpty()) {
      item.offer.setPrice(PriceText.of(text("price"), text("currencyId"), item.knownId()));
    }
    pictures.forEach(item::photo);
    promote.map(PromoteField::split).ifPresent(item::promote);
    return item;
  }

  /// Older feeds have no name; the title is composed of other fields.
  private String title() {
    return text("name").isEmpty()
        ? Stream.of("typePrefix", "vendor", "model")
            .map(this::text)
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining(" "))
        : text("name");
  }

  /// Ignores parameters that the category does not have.
  private void attributes(CategoryNode category, ItemBuilder item) {
    for (AttributeSchema schema : category.attributes().values()) {
      value(schema)
          .filter(text -> !text.isBlank())
          .ifPresent(
              text ->
                  item.offer.putAttributes(
                      schema.key(), AttributeValueParser.of(Optional.of(schema), text)));
    }
  }

  private Optional<String> value(AttributeSchema schema) {
    for (Map.Entry<String, String> param : params.entrySet()) {
      if (schema.key().equalsIgnoreCase(param.getKey())
          || schema.names().values().stream().anyMatch(param.getKey()::equalsIgnoreCase)) {
        return Optional.of(param.getValue());
      }
    }
    return switch (schema.key()) {
      case "brand" -> Optional.of(text("vendor"));
      case "model" -> Optional.of(text("model"));
      default -> Optional.empty();
    };
  }

  private String text(String element) {
    return texts.getOrDefault(element, "").strip();
  }
}
