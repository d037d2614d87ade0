package dev.torg.offers.category;

import java.util.ArrayList;
import java.util.List;

/// The errors of a category file, collected so that the operator sees all of them at once.
final class CategoryFileErrors {
  private final List<String> errors = new ArrayList<>();

  void add(String path, String message) {
    errors.add(path + ": " + message);
  }

  void refuse(String origin) {
    if (!errors.isEmpty()) {
      throw new IllegalArgumentException(
          origin + " has mistakes:\n  " + String.join("\n  ", errors));
    }
  }
}
