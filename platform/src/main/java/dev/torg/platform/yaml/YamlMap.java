package dev.torg.platform.yaml;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/// One mapping of a YAML document, read key by key. A value of the wrong type and an unknown key are
/// errors.
public final class YamlMap {
  private final String path;
  private final Map<String, Object> entries = new LinkedHashMap<>();
  private final Set<String> unread = new LinkedHashSet<>();
  private final YamlErrors errors;

  private YamlMap(String path, Object node, YamlErrors errors) {
    this.path = path;
    this.errors = errors;
    if (node instanceof Map<?, ?> map) {
      map.forEach((key, value) -> entries.put(String.valueOf(key), value));
    } else {
      errors.add(path.isEmpty() ? "the file" : path, "must be a mapping");
    }
    unread.addAll(entries.keySet());
  }

  /// The root of a document.
  ///
  /// @param origin the file, as the operator knows it
  public static YamlMap parse(String origin, String yaml, YamlErrors errors) {
    try {
      LoadSettings settings = LoadSettings.builder().setAllowDuplicateKeys(false).build();
      Object root = new Load(settings).loadFromString(yaml);
      return new YamlMap("", Objects.requireNonNullElse(root, Map.of()), errors);
    } catch (YamlEngineException e) {
      throw new IllegalArgumentException(origin + " is not readable YAML: " + e.getMessage(), e);
    }
  }

  public String at(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  public Set<String> keys() {
    return entries.keySet();
  }

  public Optional<String> text(String key) {
    Object value = take(key);
    if (value != null && !(value instanceof String)) {
      errors.add(at(key), "must be text");
    }
    return value instanceof String text ? Optional.of(text) : Optional.empty();
  }

  public boolean flag(String key, boolean otherwise) {
    Object value = take(key);
    if (value != null && !(value instanceof Boolean)) {
      errors.add(at(key), "must be true or false");
    }
    return value instanceof Boolean flag ? flag : otherwise;
  }

  public OptionalLong wholeNumber(String key) {
    Object value = take(key);
    return switch (value) {
      case Integer number -> OptionalLong.of(number);
      case Long number -> OptionalLong.of(number);
      case null -> OptionalLong.empty();
      default -> {
        errors.add(at(key), "must be a whole number");
        yield OptionalLong.empty();
      }
    };
  }

  /// Texts in their order; empty if the key is missing.
  public List<String> texts(String key) {
    Object value = take(key);
    List<String> texts = new ArrayList<>();
    if (value instanceof List<?> list && list.stream().allMatch(String.class::isInstance)) {
      list.forEach(item -> texts.add((String) item));
    } else if (value != null) {
      errors.add(at(key), "must be a list of texts");
    }
    return texts;
  }

  public OptionalDouble number(String key) {
    Object value = take(key);
    if (value != null && !(value instanceof Number)) {
      errors.add(at(key), "must be a number");
    }
    return value instanceof Number n ? OptionalDouble.of(n.doubleValue()) : OptionalDouble.empty();
  }

  public YamlMap map(String key) {
    Object value = take(key);
    return new YamlMap(at(key), value == null ? Map.of() : value, errors);
  }

  public List<YamlMap> maps(String key) {
    Object value = take(key);
    List<YamlMap> maps = new ArrayList<>();
    if (value instanceof List<?> list) {
      for (Object item : list) {
        maps.add(new YamlMap(at(key) + "[" + maps.size() + "]", orEmpty(item), errors));
      }
    } else if (value != null) {
      errors.add(at(key), "must be a list");
    }
    return maps;
  }

  /// Names by language. English is required.
  public Map<String, String> names(String key) {
    YamlMap translations = map(key);
    Map<String, String> names = new LinkedHashMap<>();
    for (String language : translations.keys()) {
      translations.text(language).ifPresent(name -> names.put(language, name));
    }
    if (names.getOrDefault("en", "").isBlank()) {
      errors.add(at(key), "needs an English name (en)");
    }
    return names;
  }

  /// Reports the keys that were not read.
  public void refuseOthers() {
    unread.forEach(key -> errors.add(at(key), "is not known here"));
  }

  private static Object orEmpty(@Nullable Object item) {
    return item == null ? "" : item;
  }

  private @Nullable Object take(String key) {
    unread.remove(key);
    return entries.get(key);
  }
}
