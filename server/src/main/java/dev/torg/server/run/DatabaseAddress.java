package dev.torg.server.run;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The address of a database without secrets: of its parameters, which may hold passwords under several names,
/// only the user is retained.
final class DatabaseAddress {
  private static final String USER = "user=";

  private DatabaseAddress() {}

  /// In psql's format: `postgresql://user@host:port/name`.
  static String forDisplay(String url) {
    String address = withoutParameters(url);
    String user = user(url);
    return user.isEmpty() ? address : address.replaceFirst("//", "//" + user + "@");
  }

  /// `postgresql://host:port/name`.
  static String withoutParameters(String url) {
    int question = url.indexOf('?');
    String address = question < 0 ? url : url.substring(0, question);
    return address.replaceFirst("^jdbc:", "").replaceFirst("//[^/@]*@", "//");
  }

  /// Empty where the name would need quoting.
  private static String user(String url) {
    String parameters = url.substring(url.indexOf('?') + 1);
    return Arrays.stream(parameters.split("&", -1))
        .filter(parameter -> parameter.startsWith(USER))
        .map(
            parameter ->
                URLDecoder.decode(parameter.substring(USER.length()), StandardCharsets.UTF_8))
        .filter(user -> user.matches("[A-Za-z0-9_.-]+"))
        .findFirst()
        .orElse("");
  }
}
