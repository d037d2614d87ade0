package dev.torg.notifications.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.torg.api.v1.Device;
import dev.torg.api.v1.PushSubscription;
import dev.torg.api.v1.PushSubscriptionKeys;
import dev.torg.api.v1.RegisterDeviceRequest;
import dev.torg.platform.Failure;
import dev.torg.platform.net.PublicHostResolver;
import java.net.InetAddress;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceValidatorTest {
  private static final RegisterDeviceRequest ANDROID =
      RegisterDeviceRequest.newBuilder()
          .setKind(Device.Kind.FCM)
          .setToken("abc:DEF_-123")
          .setAppVersion("4.12.0-beta+7")
          .setPlatform("Android")
          .setTimezone("Europe/Berlin")
          .build();

  private static final byte[] KEY = key();
  private static final RegisterDeviceRequest BROWSER =
      RegisterDeviceRequest.newBuilder()
          .setKind(Device.Kind.WEB_PUSH)
          .setSubscription(
              subscription("https://push.example/1", encoded(KEY), encoded(new byte[16])))
          .build();

  private final DeviceValidator validator =
      new DeviceValidator(
          new PublicHostResolver(
              host ->
                  List.of(
                      InetAddress.getByName(
                          host.equals("push.example") ? "93.184.215.14" : "10.0.0.1")),
              Set.of("trusted.example")));

  @Test
  void validate_appToken_isAccepted() {
    assertThat(validator.validate(ANDROID))
        .isEqualTo(
            new DeviceRegistration(
                new DeviceAddress(DeviceKind.FCM, "abc:DEF_-123", "", ""),
                "android",
                "4.12.0-beta+7",
                "Europe/Berlin"));
  }

  @Test
  void validate_tokenOfApple_isInLowerCase() {
    RegisterDeviceRequest ios =
        RegisterDeviceRequest.newBuilder()
            .setKind(Device.Kind.APNS)
            .setToken("ABCDEF0123456789")
            .build();
    DeviceRegistration valid = validator.validate(ios);
    assertThat(valid.address().token()).isEqualTo("abcdef0123456789");
    assertThat(valid.platform()).isEqualTo("ios");
  }

  @Test
  void validate_subscription_hasKeysInOneForm() {
    DeviceAddress address = validator.validate(BROWSER).address();
    RegisterDeviceRequest padded =
        BROWSER.toBuilder()
            .setSubscription(
                subscription(
                    "https://push.example/1",
                    Base64.getEncoder().encodeToString(KEY),
                    Base64.getEncoder().encodeToString(new byte[16])))
            .build();
    assertThat(address.token()).isEqualTo("https://push.example/1");
    assertThat(validator.validate(padded).address()).isEqualTo(address);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "push.example",
        "http://push.example/1",
        "https://10.0.0.1/",
        "https://internal/",
        "https://a@push.example/",
        "https://push.example/#a",
        "file:///etc/passwd",
        "https://push.example/ a"
      })
  void validate_endpointThatMayNotBeCalled_isInvalid(String endpoint) {
    refused(
        BROWSER.toBuilder()
            .setSubscription(BROWSER.getSubscription().toBuilder().setEndpoint(endpoint))
            .build(),
        "subscription.endpoint");
  }

  @Test
  void validate_endpointOfATrustedHost_isAcceptedWithoutTls() {
    RegisterDeviceRequest trusted =
        BROWSER.toBuilder()
            .setSubscription(
                BROWSER.getSubscription().toBuilder().setEndpoint("http://trusted.example:9/"))
            .build();
    assertThat(validator.validate(trusted).address().token())
        .isEqualTo("http://trusted.example:9/");
  }

  @Test
  void validate_wrongKeys_areInvalid() {
    refused(keys("", ""), "subscription.keys.p256dh", "subscription.keys.auth");
    refused(
        keys(encoded(new byte[65]), encoded(new byte[15])),
        "subscription.keys.p256dh",
        "subscription.keys.auth");
    refused(keys("!", encoded(new byte[16])), "subscription.keys.p256dh");
  }

  @Test
  void validate_everythingWrong_namesEachField() {
    refused(
        ANDROID.toBuilder()
            .setToken("a b")
            .setAppVersion("4\r\n")
            .setPlatform("ios")
            .setTimezone("Berlin")
            .build(),
        "platform",
        "timezone",
        "appVersion",
        "token");
  }

  @ParameterizedTest
  @CsvSource({"APNS, subscription", "WEB_PUSH, token"})
  void validate_addressOfAnotherKind_isInvalid(Device.Kind kind, String given) {
    RegisterDeviceRequest.Builder request = RegisterDeviceRequest.newBuilder().setKind(kind);
    if (given.equals("token")) {
      request.setToken("abcdefgh");
    } else {
      request.setSubscription(BROWSER.getSubscription());
    }
    refused(request.build(), kind == Device.Kind.APNS ? "token" : "subscription");
  }

  @Test
  void validate_tokenAndSubscription_isInvalid() {
    refused(BROWSER.toBuilder().setToken("abcdefgh").build(), "subscription");
    refused(ANDROID.toBuilder().setSubscription(BROWSER.getSubscription()).build(), "token");
    refused(RegisterDeviceRequest.getDefaultInstance(), "kind");
  }

  private void refused(RegisterDeviceRequest request, String... fields) {
    Failure failure = catchThrowableOfType(Failure.class, () -> validator.validate(request));
    assertThat(failure.code()).isEqualTo("device.invalid");
    assertThat(failure.violations())
        .extracting(Failure.Violation::field)
        .containsExactlyInAnyOrder(fields);
  }

  private static RegisterDeviceRequest keys(String publicKey, String auth) {
    return BROWSER.toBuilder()
        .setSubscription(subscription("https://push.example/1", publicKey, auth))
        .build();
  }

  private static PushSubscription subscription(String endpoint, String publicKey, String auth) {
    return PushSubscription.newBuilder()
        .setEndpoint(endpoint)
        .setKeys(PushSubscriptionKeys.newBuilder().setP256Dh(publicKey).setAuth(auth))
        .build();
  }

  private static byte[] key() {
    byte[] key = new byte[65];
    java.util.Arrays.fill(key, (byte) 0xFB);
    key[0] = 4;
    return key;
  }

  private static String encoded(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
