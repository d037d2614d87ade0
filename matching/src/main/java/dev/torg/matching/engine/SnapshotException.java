package dev.torg.matching.engine;

import java.io.IOException;

/// A snapshot that cannot be used: cut short, damaged, or written by another version. The engine is then rebuilt from its source.
public final class SnapshotException extends IOException {
  SnapshotException(String message) {
    super(message);
  }
}
