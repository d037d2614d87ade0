package dev.torg.photos;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Checks the address of a photo without any network access.
public final class PhotoAddress {
  /// Longer addresses are refused, as browsers and proxies do.
  public static final int MAX_LENGTH = 2_000;

  private static final Set<String> SCHEMES = Set.of("http", "https");

  private PhotoAddress() {}

  /// The address as a URI; empty if it is not an http or https address.
  public static Optional<URI> parse(String text) {
    if (text.length() > MAX_LENGTH) {
      return Optional.empty();
    }
    try {
      URI uri = new URI(text.strip());
      return isWeb(uri) ? Optional.of(uri) : Optional.empty();
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }

  /// A user name and password in an address are either a secret or an attempt to deceive.
  private static boolean isWeb(URI uri) {
    return uri.getScheme() != null
        && SCHEMES.contains(uri.getScheme().toLowerCase(Locale.ROOT))
        && uri.getHost() != null
        && uri.getRawUserInfo() == null;
  }
}
