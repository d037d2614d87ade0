package dev.torg.offers.lifecycle;

import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import java.util.UUID;

/// A draft is stored in its owner's home; its id does not determine the home.
public record DraftKey(String owner, UUID id) {
  /// A malformed id is NOT_FOUND.
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
