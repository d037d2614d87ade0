package dev.torg.platform.yaml;

import java.util.ArrayList;
import java.util.List;

/// The errors of a file, collected so that the operator sees all of them at once.
public final class YamlErrors {
  private final List<String> errors = new ArrayList<>();

  public void add(String path, String message) {
    errors.add(path + ": " + message);
  }

  /// Throws if there are errors.
  ///
  /// @param origin the file, as the operator knows it
  public void refuse(String origin) {
    if (!errors.isEmpty()) {
      throw new IllegalArgumentException(
          origin + " has mistakes:\n  " + String.join("\n  ", errors));
    }
  }
}
