package dev.torg.offers.feed.format;

import dev.torg.offers.category.Categories;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/// Maps categories of shops to those of Torg: an operator's file with their names or ids, for all sellers
/// or for one. An invalid file is rejected as a whole.
///
///     all:
///       Смартфоны: electronics
///     sellers:
///       user:42:
///         "17": cars
public final class CategoryMapping {
  public static final CategoryMapping NONE = new CategoryMapping(Map.of(), Map.of());

  private final Map<String, String> all;
  private final Map<String, Map<String, String>> sellers;

  private CategoryMapping(Map<String, String> all, Map<String, Map<String, String>> sellers) {
    this.all = all;
    this.sellers = sellers;
  }

  public static CategoryMapping read(Path path, Categories categories) {
    try {
      return parse(path.toString(), Files.readString(path), categories);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the mapping of categories in " + path, e);
    }
  }

  static CategoryMapping parse(String origin, String yaml, Categories categories) {
    Object root;
    try {
      root = new Load(LoadSettings.builder().setLabel(origin).build()).loadFromString(yaml);
    } catch (YamlEngineException e) {
      throw new IllegalArgumentException(origin + " is not YAML: " + e.getMessage(), e);
    }
    Map<String, Object> parts = root == null ? Map.of() : map(origin, "the file", root);
    Map<String, String> all = Map.of();
    Map<String, Map<String, String>> sellers = new HashMap<>();
    for (Map.Entry<String, Object> part : parts.entrySet()) {
      switch (part.getKey()) {
        case "all" -> all = names(origin, "all", part.getValue(), categories);
        case "sellers" ->
            map(origin, "sellers", part.getValue())
                .forEach(
                    (seller, mapping) ->
                        sellers.put(seller, names(origin, seller, mapping, categories)));
        default ->
            throw new IllegalArgumentException(
                origin + ": " + part.getKey() + " is not known; there are all and sellers");
      }
    }
    return new CategoryMapping(all, sellers);
  }

  /// An id takes precedence over a name, and the seller's mapping over the common one.
  Optional<String> find(String seller, String id, String name) {
    Map<String, String> own = sellers.getOrDefault(seller, Map.of());
    return Optional.ofNullable(own.get(key(id)))
        .or(() -> Optional.ofNullable(own.get(key(name))))
        .or(() -> Optional.ofNullable(all.get(key(id))))
        .or(() -> Optional.ofNullable(all.get(key(name))));
  }

  private static Map<String, String> names(
      String origin, String where, Object value, Categories categories) {
    Map<String, String> names = new HashMap<>();
    map(origin, where, value)
        .forEach(
            (name, category) -> {
              if (categories.find(String.valueOf(category)).isEmpty()) {
                throw new IllegalArgumentException(
                    "%s: %s: %s: there is no category %s".formatted(origin, where, name, category));
              }
              names.put(key(name), String.valueOf(category));
            });
    return names;
  }

  private static Map<String, Object> map(String origin, String where, Object value) {
    if (!(value instanceof Map<?, ?> entries)) {
      throw new IllegalArgumentException(origin + ": " + where + " must be a map");
    }
    Map<String, Object> map = new HashMap<>();
    entries.forEach((key, inner) -> map.put(String.valueOf(key), inner));
    return map;
  }

  private static String key(String name) {
    return name.strip().toLowerCase(Locale.ROOT);
  }
}
