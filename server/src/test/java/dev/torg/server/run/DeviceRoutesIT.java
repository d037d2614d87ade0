package dev.torg.server.run;

import static dev.torg.server.run.TestTorg.unauthenticated;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.server.run.TestTorg.HttpReply;
import dev.torg.server.run.TestTorg.TestUser;
import java.util.Base64;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Devices as clients call them, and refusals of contacts. The way of a code is tested by ContactRoutesIT.
class DeviceRoutesIT {
  @RegisterExtension static final TestTorg TORG = TestTorg.shared();

  private static final String DEVICES = "/v1/devices";
  private static final String CONTACTS = "/v1/contacts";

  private final TestUser owner = TORG.user();

  @Test
  void devices_registered_areListedWithoutTheirTokens() {
    String token = token();
    HttpReply device =
        TORG.post(
                owner,
                DEVICES,
                """
                {"kind":"FCM","token":"%s","appVersion":"4.12.0","platform":"android","timezone":"Europe/Berlin"}
                """
                    .formatted(token))
            .ok();
    assertThat(device.text("id")).isNotEmpty();
    assertThat(device.text("kind")).isEqualTo("FCM");
    assertThat(device.text("timezone")).isEqualTo("Europe/Berlin");
    HttpReply list = TORG.get(owner, DEVICES).ok();
    assertThat(list.body().at("/devices/0")).isEqualTo(device.body());
    assertThat(list.body().toString()).doesNotContain(token);
    assertThat(TORG.get(TORG.anonymous(), DEVICES).ok().body().path("devices")).isEmpty();
  }

  /// As `JSON.stringify(subscription)` prints it.
  @Test
  void devices_subscriptionOfABrowser_isRegistered() {
    HttpReply device = TORG.post(owner, DEVICES, subscription("https://93.184.215.14/push/1")).ok();
    assertThat(device.text("platform")).isEqualTo("web");
    String endpoint = "?token=https%3A%2F%2F93.184.215.14%2Fpush%2F1";
    TORG.delete(owner, DEVICES + endpoint).ok();
    assertThat(TORG.get(owner, DEVICES).ok().body().path("devices")).isEmpty();
  }

  @Test
  void devices_deletedByIdInAddressOrQueryOrByToken_areGone() {
    String first = register(owner, token()).text("id");
    String second = register(owner, token()).text("id");
    String token = token();
    register(owner, token);
    TORG.delete(TORG.user(), DEVICES + "/" + first).ok();
    assertThat(TORG.get(owner, DEVICES).ok().body().path("devices")).hasSize(3);
    TORG.delete(owner, DEVICES + "/" + first).ok();
    TORG.delete(owner, DEVICES + "?id=" + second).ok();
    TORG.delete(owner, DEVICES + "?token=" + token).ok();
    TORG.delete(owner, DEVICES + "?token=" + token).ok();
    assertThat(TORG.get(owner, DEVICES).ok().body().path("devices")).isEmpty();
  }

  @Test
  void devices_tokenOfAnotherPerson_moves() {
    TestUser other = TORG.user();
    String token = token();
    register(owner, token);
    register(other, token);
    assertThat(TORG.get(owner, DEVICES).ok().body().path("devices")).isEmpty();
    assertThat(TORG.get(other, DEVICES).ok().body().path("devices")).hasSize(1);
  }

  @Test
  void devices_badInput_namesEachField() {
    TORG.post(owner, DEVICES, "{\"token\":\"abcdefgh\"}")
        .failed(400, "device.invalid")
        .invalid("kind");
    TORG.post(
            owner,
            DEVICES,
            "{\"kind\":\"FCM\",\"token\":\"\",\"timezone\":\"x\",\"platform\":\"ios\"}")
        .invalid("token")
        .invalid("timezone")
        .invalid("platform");
    TORG.post(owner, DEVICES, subscription("https://10.0.0.1/")).invalid("subscription.endpoint");
    TORG.post(owner, DEVICES, subscription("https://localhost/")).invalid("subscription.endpoint");
    TORG.post(owner, DEVICES, "{\"kind\":\"LAMP\"}").invalid("kind");
    TORG.post(owner, DEVICES, "{\"lamp\":1}").invalid("lamp");
    TORG.delete(owner, DEVICES).failed(400, "device.unclear");
    TORG.delete(owner, DEVICES + "?id=a&token=b").failed(400, "device.unclear");
    assertThat(TORG.get(owner, DEVICES).ok().body().path("devices")).isEmpty();
  }

  @Test
  void contacts_badInput_isRefusedAndNothingIsStored() {
    TORG.put(owner, CONTACTS, "{\"address\":\"bob@example.com\"}").failed(400, "contact.kind");
    TORG.put(owner, CONTACTS, contact("EMAIL", "bob@example.com\\r\\nBcc: eve@example.com"))
        .failed(400, "contact.address")
        .invalid("address");
    TORG.put(owner, CONTACTS, contact("PHONE", "0151 123")).invalid("address");
    for (String url :
        new String[] {
          "https://127.0.0.1/",
          "https://169.254.169.254/latest",
          "http://example.com/",
          "https://[::1]/"
        }) {
      TORG.put(owner, CONTACTS, contact("WEBHOOK", url)).failed(400, "contact.address");
    }
    TORG.post(owner, CONTACTS + ":verify", "{\"kind\":\"EMAIL\",\"code\":\"123456\"}")
        .failed(404, "contact.nothing-to-verify");
    TORG.post(owner, CONTACTS + ":verify", "{\"code\":\"123456\"}").failed(400, "contact.kind");
    TORG.delete(owner, CONTACTS).failed(400, "contact.kind");
    TORG.delete(owner, CONTACTS + "?kind=EMAIL").ok();
    assertThat(TORG.get(owner, CONTACTS).ok().body().path("contacts")).isEmpty();
  }

  @Test
  void calls_withoutToken_areUnauthenticated() {
    TestUser none = unauthenticated();
    TORG.post(none, DEVICES, "{}").failed(401, "token.missing");
    TORG.get(none, DEVICES).failed(401, "token.missing");
    TORG.delete(none, DEVICES + "?id=a").failed(401, "token.missing");
    TORG.delete(none, DEVICES + "/a").failed(401, "token.missing");
    TORG.put(none, CONTACTS, "{}").failed(401, "token.missing");
    TORG.get(none, CONTACTS).failed(401, "token.missing");
    TORG.delete(none, CONTACTS + "?kind=EMAIL").failed(401, "token.missing");
    TORG.post(none, CONTACTS + ":verify", "{}").failed(401, "token.missing");
  }

  @Test
  void calls_onBehalfOfAPerson_needRoleService() {
    Map<String, String> onBehalf = Map.of("Torg-On-Behalf-Of", owner.subject());
    register(owner, token());
    HttpReply seen = TORG.send(TORG.service(), "GET", DEVICES, "", onBehalf).ok();
    assertThat(seen.body().path("devices")).hasSize(1);
    TORG.send(TORG.user(), "GET", DEVICES, "", onBehalf).failed(403, "role.missing");
    TORG.send(TORG.user(), "GET", CONTACTS, "", onBehalf).failed(403, "role.missing");
  }

  @Test
  void devices_afterTheLogin_belongToTheLogin() {
    TestUser anonymous = TORG.anonymous();
    HttpReply device = register(anonymous, token());
    TORG.post(
            owner,
            "/v1/favorites:moveFromAnonymous",
            "{\"anonymousToken\":\"%s\"}".formatted(anonymous.token()))
        .ok();
    assertThat(TORG.get(owner, DEVICES).ok().texts("devices", "id"))
        .containsExactly(device.text("id"));
    TORG.post(anonymous, DEVICES, fcm(token())).failed(409, "identity.moved");
    TORG.delete(anonymous, DEVICES + "/" + device.text("id")).failed(409, "identity.moved");
    TORG.delete(anonymous, CONTACTS + "?kind=EMAIL").failed(409, "identity.moved");
    TORG.post(anonymous, CONTACTS + ":verify", "{\"kind\":\"EMAIL\",\"code\":\"1\"}")
        .failed(409, "identity.moved");
  }

  private static HttpReply register(TestUser user, String token) {
    return TORG.post(user, DEVICES, fcm(token)).ok();
  }

  private static String fcm(String token) {
    return "{\"kind\":\"FCM\",\"token\":\"%s\"}".formatted(token);
  }

  private static String token() {
    return UUID.randomUUID().toString();
  }

  private static String contact(String kind, String address) {
    return "{\"kind\":\"%s\",\"address\":\"%s\"}".formatted(kind, address);
  }

  private static String subscription(String endpoint) {
    byte[] key = new byte[65];
    key[0] = 4;
    Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
    return """
        {"kind":"WEB_PUSH","subscription":{"endpoint":"%s","expirationTime":null,
         "keys":{"p256dh":"%s","auth":"%s"}}}
        """
        .formatted(endpoint, base64.encodeToString(key), base64.encodeToString(new byte[16]));
  }
}
