package dev.torg.promotions.ledger;

import dev.torg.platform.PageToken;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// A position in a seller's ledger, newest entries first: after the entry with this id and currency.
record LedgerCursor(long id, String currency) {
  /// Before the newest entry.
  static final LedgerCursor START = new LedgerCursor(Long.MAX_VALUE, "");

  static LedgerCursor after(StoredEntry entry) {
    return new LedgerCursor(entry.id(), entry.entry().account().currency());
  }

  String token() {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString((id + " " + currency).getBytes(StandardCharsets.UTF_8));
  }

  /// The start if the token is empty.
  static LedgerCursor of(String token) {
    if (token.isEmpty()) {
      return START;
    }
    try {
      String text = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
      int space = text.indexOf(' ');
      long id = Long.parseLong(text.substring(0, Math.max(space, 0)));
      return new LedgerCursor(id, PageToken.text(text.substring(space + 1)));
    } catch (IllegalArgumentException e) {
      throw PageToken.invalid();
    }
  }
}
