package dev.torg.notifications.devices;

import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;

/// What a push is addressed to: the provider's token, or a browser's subscription.
///
/// @param token of WEB_PUSH the endpoint
/// @param publicKey of WEB_PUSH the browser's key, base64url; otherwise empty
/// @param authSecret of WEB_PUSH the browser's secret, base64url; otherwise empty
public record DeviceAddress(DeviceKind kind, String token, String publicKey, String authSecret) {
  private static final int ID_BYTES = 16;

  /// A token of APNS is a hexadecimal number, which apps write in either case.
  static DeviceAddress of(DeviceKind kind, String token) {
    return new DeviceAddress(kind, normal(kind, token), "", "");
  }

  private static String normal(DeviceKind kind, String token) {
    return kind == DeviceKind.APNS ? token.toLowerCase(Locale.ROOT) : token;
  }

  boolean hasToken(String other) {
    return token.equals(normal(kind, other));
  }

  /// The same for every person, so that a device has one claim; it does not reveal the token.
  public String id() {
    byte[] hash =
        Hashing.sha256().hashString(kind + "\n" + token, StandardCharsets.UTF_8).asBytes();
    return HexFormat.of().formatHex(hash, 0, ID_BYTES);
  }
}
