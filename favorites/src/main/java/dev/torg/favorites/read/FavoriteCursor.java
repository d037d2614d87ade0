package dev.torg.favorites.read;

import dev.torg.platform.PageToken;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;

/// Where a page ends: the time and id of its last row. What is saved or removed meanwhile moves no
/// other row.
public record FavoriteCursor(Instant at, String id) {
  /// Before the first page.
  static final FavoriteCursor START = new FavoriteCursor(PageToken.LATEST, "");

  String token() {
    String text = ChronoUnit.MICROS.between(Instant.EPOCH, at) + " " + id;
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
      throw PageToken.notOurs();
    }
  }
}
