package dev.torg.favorites.read;

import dev.torg.platform.EpochMicros;
import dev.torg.platform.PageToken;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;

/// The position after a page: time and id of its last row. Concurrent changes do not shift the pages.
public record FavoriteCursor(Instant at, String id) {
  /// Before the first page.
  static final FavoriteCursor START = new FavoriteCursor(PageToken.LATEST, "");

  String token() {
    String text = EpochMicros.of(at) + " " + id;
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  static FavoriteCursor of(String token) {
    if (token.isEmpty()) {
      return START;
    }
    try {
      String text = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
      int space = text.indexOf(' ');
      long micros = Long.parseLong(text.substring(0, Math.max(space, 0)));
      return new FavoriteCursor(PageToken.time(micros), PageToken.text(text.substring(space + 1)));
    } catch (IllegalArgumentException e) {
      throw PageToken.invalid();
    }
  }
}
