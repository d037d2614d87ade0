package dev.torg.offers.feed.format;

import dev.torg.offers.category.Categories;
import dev.torg.offers.category.CategoryNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Maps the categories that a shop declares at the head of its feed to those of Torg: by the operator's
/// mapping; else by the id or name of a category of Torg; else by the parent category.
final class YmlCategories {
  /// More than any shop has.
  private static final int MAX_CATEGORIES = 100_000;

  /// Maximum total length of all ids and names: far more than any shop's tree has.
  private static final int MAX_CHARACTERS = 8 << 20;

  private static final int MAX_DEPTH = 20;

  private final String seller;
  private final CategoryMapping mapping;
  private final Categories categories;
  private final Map<String, ShopCategory> declared = new HashMap<>();
  private final Map<String, Optional<CategoryNode>> resolved = new HashMap<>();

  private int characters;

  private record ShopCategory(String id, String parent, String name) {}

  YmlCategories(String seller, CategoryMapping mapping, Categories categories) {
    this.seller = seller;
    this.mapping = mapping;
    this.categories = categories;
  }

  void add(String id, String parent, String name, int line) throws UnreadableFeedException {
    characters += id.length() + parent.length() + name.length();
    if (declared.size() == MAX_CATEGORIES || characters > MAX_CHARACTERS) {
      throw new UnreadableFeedException(
          "feed.categories",
          "more than %d categories, or %d characters of them"
              .formatted(MAX_CATEGORIES, MAX_CHARACTERS),
          line);
    }
    declared.put(id, new ShopCategory(id, parent, name));
  }

  /// Only declared categories are cached, because offers may contain arbitrary ids.
  Optional<CategoryNode> find(String id) {
    return declared.containsKey(id) ? resolved.computeIfAbsent(id, this::resolve) : resolve(id);
  }

  String name(String id) {
    ShopCategory category = declared.get(id);
    return category == null ? id : id + " (" + category.name() + ")";
  }

  private Optional<CategoryNode> resolve(String id) {
    @Nullable ShopCategory at = declared.getOrDefault(id, new ShopCategory(id, "", ""));
    for (int depth = 0; at != null && depth < MAX_DEPTH; depth++) {
      ShopCategory category = at;
      Optional<CategoryNode> match =
          mapping
              .find(seller, category.id(), category.name())
              .flatMap(categories::find)
              .or(() -> categories.find(category.id()))
              .or(() -> named(categories.roots(), category.name()));
      if (match.isPresent()) {
        return match;
      }
      at = declared.get(category.parent());
    }
    return Optional.empty();
  }

  private static Optional<CategoryNode> named(List<CategoryNode> among, String name) {
    for (CategoryNode category : among) {
      boolean same = category.names().values().stream().anyMatch(name.strip()::equalsIgnoreCase);
      Optional<CategoryNode> match =
          same ? Optional.of(category) : named(category.children(), name);
      if (match.isPresent()) {
        return match;
      }
    }
    return Optional.empty();
  }
}
