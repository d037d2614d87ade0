package dev.torg.offers.lifecycle;

import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import java.util.UUID;

/// A draft lives with its owner, wherever its id was made.
public record DraftKey(String owner, UUID id) {
  /// What is no id names no draft.
  public static DraftKey parse(String owner, String id) {
    try {
      return new DraftKey(owner, UUID.fromString(id));
    } catch (IllegalArgumentException e) {
      throw Failure.notFound("draft.not-found", "no such draft");
    }
  }

  public Home home() {
    return Home.of(owner);
  }
}
