package dev.torg.offers.photo;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// What may be said about an address before anybody asks the network.
public final class PhotoAddress {
  /// Longer ones are refused; browsers and proxies do the same.
  public static final int MAX_LENGTH = 2_000;

  private static final Set<String> SCHEMES = Set.of("http", "https");

  private PhotoAddress() {}

  /// The address as it can be asked for, unless it is none.
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

  /// A name and password in an address are a secret of somebody's, or a trick.
  private static boolean isWeb(URI uri) {
    return uri.getScheme() != null
        && SCHEMES.contains(uri.getScheme().toLowerCase(Locale.ROOT))
        && uri.getHost() != null
        && uri.getRawUserInfo() == null;
  }
}
