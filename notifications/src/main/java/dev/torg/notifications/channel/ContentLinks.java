package dev.torg.notifications.channel;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;

/// Makes the links of messages absolute.
///
/// @param publicUrl the address of this installation without a slash at its end
public record ContentLinks(String publicUrl) {
  /// The address that a link leads to; empty if it is none that a browser should open, such as `javascript:`.
  public Optional<String> absolute(String link) {
    String stripped = link.strip();
    if (stripped.isEmpty()) {
      return Optional.empty();
    }
    if (stripped.startsWith("/") && !stripped.startsWith("//")) {
      return web(publicUrl + stripped);
    }
    return web(stripped);
  }

  private static Optional<String> web(String link) {
    try {
      URI uri = new URI(link);
      String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      boolean isWeb = scheme.equals("http") || scheme.equals("https");
      return isWeb && uri.getHost() != null ? Optional.of(uri.toASCIIString()) : Optional.empty();
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }
}
