package dev.torg.offers.life;

import dev.torg.platform.Home;
import java.util.UUID;

/// A draft lives with its owner, wherever its id was made.
public record DraftKey(String owner, UUID id) {
  public Home home() {
    return Home.of(owner);
  }
}
