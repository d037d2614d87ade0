package dev.torg.offers.category;

import dev.torg.platform.yaml.YamlErrors;
import dev.torg.platform.yaml.YamlMap;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Reads the category tree from YAML. An invalid file is rejected as a whole, and all its errors are
/// reported.
public final class CategoryFile {
  private static final String DEFAULT_TREE = "/torg/categories.yaml";
  private static final Pattern ID = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

  private final String origin;
  private final YamlErrors errors = new YamlErrors();
  private final Set<String> ids = new HashSet<>();

  private CategoryFile(String origin) {
    this.origin = origin;
  }

  /// The tree shipped with Torg.
  public static Categories defaultTree() {
    try (InputStream file =
        Objects.requireNonNull(CategoryFile.class.getResourceAsStream(DEFAULT_TREE))) {
      return parse(
          "the default categories", new String(file.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The operator's tree.
  public static Categories read(Path path) {
    try {
      return parse(path.toString(), Files.readString(path));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the categories in " + path, e);
    }
  }

  static Categories parse(String origin, String yaml) {
    return new CategoryFile(origin).parse(yaml);
  }

  private Categories parse(String yaml) {
    YamlMap root = YamlMap.parse(origin, yaml, errors);
    List<CategoryNode> roots = new ArrayList<>();
    for (YamlMap node : root.maps("categories")) {
      roots.add(category(node, Optional.empty()));
    }
    root.refuseOthers();
    if (roots.isEmpty()) {
      errors.add("categories", "must not be empty");
    }
    errors.refuse(origin);
    return new Categories(roots);
  }

  private CategoryNode category(YamlMap node, Optional<CategoryNode> parent) {
    String id = node.text("id").orElse("");
    if (!ID.matcher(id).matches()) {
      errors.add(node.at("id"), "must be lower-case words joined by dashes");
    } else if (!ids.add(id)) {
      errors.add(node.at("id"), "'" + id + "' is there twice");
    }
    Map<String, AttributeSchema> attributes =
        new LinkedHashMap<>(parent.map(CategoryNode::attributes).orElse(Map.of()));
    for (YamlMap attribute : node.maps("attributes")) {
      AttributeSchema schema = AttributeYaml.read(attribute, errors);
      if (attributes.put(schema.key(), schema) != null) {
        errors.add(attribute.at("key"), "'" + schema.key() + "' is there twice or inherited");
      }
    }
    return withChildren(node, id, parent, attributes);
  }

  private CategoryNode withChildren(
      YamlMap node,
      String id,
      Optional<CategoryNode> parent,
      Map<String, AttributeSchema> attributes) {
    boolean premoderated =
        node.flag("premoderated", false) || parent.map(CategoryNode::premoderated).orElse(false);
    boolean visible = visibleWhileReviewed(node, parent, premoderated);
    Map<String, String> names = node.names("names");
    Optional<String> parentId = parent.map(CategoryNode::id);
    CategoryNode self =
        new CategoryNode(id, parentId, names, attributes, List.of(), premoderated, visible);
    List<CategoryNode> children = new ArrayList<>();
    for (YamlMap child : node.maps("children")) {
      children.add(category(child, Optional.of(self)));
    }
    node.refuseOthers();
    return new CategoryNode(
        id, parentId, names, attributes, List.copyOf(children), premoderated, visible);
  }

  /// Children inherit the value and may override it.
  private boolean visibleWhileReviewed(
      YamlMap node, Optional<CategoryNode> parent, boolean premoderated) {
    boolean inherited = parent.map(CategoryNode::visibleWhileReviewed).orElse(false);
    boolean visible = node.flag("visibleWhileReviewed", inherited);
    if (visible && !premoderated) {
      errors.add(node.at("visibleWhileReviewed"), "needs premoderated: true");
    }
    return visible;
  }
}
