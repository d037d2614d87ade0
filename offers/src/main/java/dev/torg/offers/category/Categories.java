package dev.torg.offers.category;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// The category tree. Immutable while the process runs.
public final class Categories {
  private final List<CategoryNode> roots;
  private final Map<String, CategoryNode> byId = new HashMap<>();

  public Categories(List<CategoryNode> roots) {
    this.roots = List.copyOf(roots);
    roots.forEach(this::index);
  }

  private void index(CategoryNode category) {
    if (byId.put(category.id(), category) != null) {
      throw new IllegalArgumentException("category " + category.id() + " occurs twice");
    }
    category.children().forEach(this::index);
  }

  public List<CategoryNode> roots() {
    return roots;
  }

  public Optional<CategoryNode> find(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  /// Empty for a root category and for an unknown id.
  public Optional<String> parent(String id) {
    return find(id).flatMap(CategoryNode::parent);
  }

  /// The category and all its descendants; empty for an unknown id.
  public Set<String> withDescendants(String id) {
    Set<String> ids = new TreeSet<>();
    find(id).ifPresent(category -> collect(category, ids));
    return ids;
  }

  private static void collect(CategoryNode category, Set<String> into) {
    into.add(category.id());
    category.children().forEach(child -> collect(child, into));
  }
}
