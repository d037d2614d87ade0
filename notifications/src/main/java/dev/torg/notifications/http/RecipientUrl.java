package dev.torg.notifications.http;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;

/// Parses HTTP addresses that recipients gave. Unencrypted ones are called with HTTP/1.1, so that no attempt at an
/// upgrade reaches the server.
public final class RecipientUrl {
  private RecipientUrl() {}

  public static Optional<URI> parse(String address) {
    try {
      URI uri = new URI(address.strip());
      String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      boolean isWeb = scheme.equals("http") || scheme.equals("https");
      if (!isWeb || uri.getHost() == null || uri.getRawUserInfo() != null) {
        return Optional.empty();
      }
      return Optional.of(request(scheme, uri));
    } catch (java.net.URISyntaxException e) {
      return Optional.empty();
    }
  }

  private static URI request(String scheme, URI uri) {
    String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    String protocol = scheme.equals("http") ? "h1c" : "https";
    return URI.create(
        URI.create(protocol + "://" + uri.getRawAuthority() + path + query).toASCIIString());
  }
}
