package dev.torg.notifications.content;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Which addresses a notification may lead to.
public enum LinkRule {
  /// An http or https address.
  WEB,
  /// An http or https address, or a link that an app registered for: `torg://offers/1`.
  APP;

  private static final int MAX_LENGTH = 2_000;
  private static final Set<String> WEB_SCHEMES = Set.of("http", "https");

  /// Schemes that run code or read local data instead of opening an app.
  private static final Set<String> UNSAFE_SCHEMES =
      Set.of("about", "blob", "content", "data", "file", "intent", "javascript", "vbscript");

  /// What is wrong with the link.
  public Optional<String> problem(String link) {
    if (link.length() > MAX_LENGTH) {
      return Optional.of("must have at most " + MAX_LENGTH + " characters");
    }
    return isAllowed(link)
        ? Optional.empty()
        : Optional.of(
            this == WEB
                ? "must be an http or https address"
                : "must be an http or https address or a link of an app");
  }

  private boolean isAllowed(String link) {
    try {
      URI uri = new URI(link);
      String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
      if (WEB_SCHEMES.contains(scheme)) {
        return uri.getHost() != null && uri.getRawUserInfo() == null;
      }
      return this == APP && !scheme.isEmpty() && !UNSAFE_SCHEMES.contains(scheme);
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
