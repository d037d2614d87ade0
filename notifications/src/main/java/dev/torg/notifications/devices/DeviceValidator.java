package dev.torg.notifications.devices;

import dev.torg.api.v1.PushSubscription;
import dev.torg.api.v1.RegisterDeviceRequest;
import dev.torg.platform.Failure;
import dev.torg.platform.Failure.Violation;
import dev.torg.platform.net.PublicHostResolver;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// Validates a registration and reports all violations at once. A browser's endpoint is an address that this server will
/// call, so it must be public.
final class DeviceValidator {
  private static final Set<String> ZONES = ZoneId.getAvailableZoneIds();
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9:_.-]{1,4096}");
  private static final Pattern APP_VERSION = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.+_-]{0,49}");
  private static final int MAX_ENDPOINT_LENGTH = 2_000;

  /// An uncompressed point on P-256.
  private static final int PUBLIC_KEY_BYTES = 65;

  private static final byte UNCOMPRESSED = 4;
  private static final int AUTH_SECRET_BYTES = 16;

  private final PublicHostResolver hosts;

  DeviceValidator(PublicHostResolver hosts) {
    this.hosts = hosts;
  }

  DeviceRegistration validate(RegisterDeviceRequest request) {
    List<Violation> wrong = new ArrayList<>();
    DeviceKind kind = kind(request, wrong);
    String platform = platform(kind, request.getPlatform(), wrong);
    if (!request.getTimezone().isEmpty() && !ZONES.contains(request.getTimezone())) {
      wrong.add(new Violation("timezone", "must be an IANA name like Europe/Berlin"));
    }
    if (!request.getAppVersion().isEmpty()
        && !APP_VERSION.matcher(request.getAppVersion()).matches()) {
      wrong.add(new Violation("appVersion", "must look like 4.12.0, with at most 50 characters"));
    }
    DeviceAddress address = address(kind, request, wrong);
    if (!wrong.isEmpty()) {
      throw Failure.invalid("device.invalid", "invalid device", wrong);
    }
    return new DeviceRegistration(
        address, platform, request.getAppVersion(), request.getTimezone());
  }

  private static DeviceKind kind(RegisterDeviceRequest request, List<Violation> wrong) {
    return switch (request.getKind()) {
      case WEB_PUSH -> DeviceKind.WEB_PUSH;
      case APNS -> DeviceKind.APNS;
      case FCM -> DeviceKind.FCM;
      case KIND_UNSPECIFIED, UNRECOGNIZED -> {
        wrong.add(new Violation("kind", "must be one of WEB_PUSH, APNS, FCM"));
        throw Failure.invalid("device.invalid", "invalid device", wrong);
      }
    };
  }

  private static String platform(DeviceKind kind, String requested, List<Violation> wrong) {
    if (!requested.isEmpty() && !requested.toLowerCase(Locale.ROOT).equals(kind.platform())) {
      wrong.add(new Violation("platform", "must be " + kind.platform() + " for " + kind));
    }
    return kind.platform();
  }

  private DeviceAddress address(
      DeviceKind kind, RegisterDeviceRequest request, List<Violation> wrong) {
    boolean isSubscription = kind == DeviceKind.WEB_PUSH;
    if (isSubscription == request.hasSubscription()
        && isSubscription == request.getToken().isEmpty()) {
      return isSubscription
          ? subscription(request.getSubscription(), wrong)
          : token(kind, request.getToken(), wrong);
    }
    String expected = isSubscription ? "subscription" : "token";
    wrong.add(new Violation(expected, kind + " needs a " + expected + " and nothing else"));
    return DeviceAddress.of(kind, "");
  }

  private static DeviceAddress token(DeviceKind kind, String token, List<Violation> wrong) {
    if (!TOKEN.matcher(token).matches()) {
      wrong.add(new Violation("token", "not a token of " + kind));
    }
    return DeviceAddress.of(kind, token);
  }

  private DeviceAddress subscription(PushSubscription subscription, List<Violation> wrong) {
    String endpoint = subscription.getEndpoint();
    if (!isCallable(endpoint)) {
      wrong.add(
          new Violation(
              "subscription.endpoint",
              "must be a public https address of at most " + MAX_ENDPOINT_LENGTH + " characters"));
    }
    byte[] publicKey = decode(subscription.getKeys().getP256Dh());
    if (publicKey.length != PUBLIC_KEY_BYTES || publicKey[0] != UNCOMPRESSED) {
      wrong.add(
          new Violation(
              "subscription.keys.p256dh", "must be an uncompressed P-256 key, base64url"));
    }
    byte[] auth = decode(subscription.getKeys().getAuth());
    if (auth.length != AUTH_SECRET_BYTES) {
      wrong.add(new Violation("subscription.keys.auth", "must be 16 bytes, base64url"));
    }
    return new DeviceAddress(DeviceKind.WEB_PUSH, endpoint, encode(publicKey), encode(auth));
  }

  private boolean isCallable(String endpoint) {
    if (endpoint.length() > MAX_ENDPOINT_LENGTH) {
      return false;
    }
    try {
      URI uri = new URI(endpoint);
      String host = uri.getHost();
      if (host == null || uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
        return false;
      }
      boolean isTrusted = hosts.isTrusted(host);
      boolean hasScheme =
          "https".equals(uri.getScheme()) || isTrusted && "http".equals(uri.getScheme());
      return hasScheme && (isTrusted || isPublic(host));
    } catch (URISyntaxException e) {
      return false;
    }
  }

  /// Browsers write base64url, some libraries base64 with padding. Empty if it is neither.
  private static byte[] decode(String text) {
    try {
      return Base64.getUrlDecoder().decode(text.replace('+', '-').replace('/', '_'));
    } catch (IllegalArgumentException e) {
      return new byte[0];
    }
  }

  private static String encode(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private boolean isPublic(String host) {
    try {
      return !hosts.resolve(host).isEmpty();
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
