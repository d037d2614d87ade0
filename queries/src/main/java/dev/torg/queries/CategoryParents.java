package dev.torg.queries;

import java.util.Optional;

/// The category tree as matching needs it: the parent of each category.
@FunctionalInterface
public interface CategoryParents {
  /// Empty for a root and for a category that is not in the tree.
  Optional<String> parentOf(String category);
}
