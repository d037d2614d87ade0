package dev.torg.notifications.contacts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.platform.Failure;
import dev.torg.platform.net.PublicHostResolver;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContactAddressesTest {
  private final ContactAddresses addresses =
      new ContactAddresses(
          new PublicHostResolver(
              ContactAddressesTest::resolve, Set.of("internal.example", "127.0.0.1")));

  @ParameterizedTest
  @CsvSource({
    "bob@example.com, bob@example.com",
    "Bob.Smith+tag@EXAMPLE.Com, Bob.Smith+tag@example.com",
    "o'neil@example.co.uk, o'neil@example.co.uk",
    "bob@bücher.example, bob@xn--bcher-kva.example",
    "bob@почта.рф, bob@xn--80a1acny.xn--p1ai",
    "a@b.cd, a@b.cd"
  })
  void normal_mail_hasItsDomainInAsciiAndLowerCase(String address, String normal) {
    assertThat(addresses.normal(ContactKind.EMAIL, address)).isEqualTo(normal);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "bob",
        "@example.com",
        "bob@",
        "bob@localhost",
        "bob@example.123",
        "bob@-example.com",
        "bob@example..com",
        "bob@[127.0.0.1]",
        ".bob@example.com",
        "bob.@example.com",
        "b..b@example.com",
        "bob smith@example.com",
        "\"bob\"@example.com",
        "bob@example.com ",
        " bob@example.com",
        "Bob <bob@example.com>",
        "bob@example.com,eve@example.com",
        "bob@eve@example.com",
        "böb@example.com",
        "bob@example.com\r\nBcc: eve@example.com",
        "bob\r\nBcc: eve@example.com",
        "bob\n@example.com",
        "bob@example\u2028.com",
        "bob\u0000@example.com"
      })
  void normal_notAMailAddress_isInvalid(String address) {
    refused(ContactKind.EMAIL, address);
  }

  @Test
  void normal_mailLongerThanTheStandardAllows_isInvalid() {
    String domain = "example.com";
    assertThat(addresses.normal(ContactKind.EMAIL, "b".repeat(64) + "@" + domain)).isNotEmpty();
    refused(ContactKind.EMAIL, "b".repeat(65) + "@" + domain);
    refused(ContactKind.EMAIL, "bob@" + "long.".repeat(50) + domain);
    refused(ContactKind.EMAIL, "bob@" + "ü".repeat(5_000) + ".de");
  }

  @ParameterizedTest
  @CsvSource({
    "+4915112345678, +4915112345678",
    "+49 (151) 123-456-78, +4915112345678",
    "+1 202 555 0100, +12025550100"
  })
  void normal_phone_isInternationalWithoutSeparators(String number, String normal) {
    assertThat(addresses.normal(ContactKind.PHONE, number)).isEqualTo(normal);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "4915112345678",
        "004915112345678",
        "+0151",
        "+49",
        "+4915112345678901",
        "+49151123456x",
        "+49151\r\n12345678",
        "+49;ext=1",
        "+٤٩١٥١١٢٣٤٥"
      })
  void normal_notAPhone_isInvalid(String number) {
    refused(ContactKind.PHONE, number);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://hooks.example/a?b=c",
        "https://hooks.example:8443/",
        "HTTPS://hooks.example/",
        "http://internal.example/hook",
        "http://127.0.0.1:9999/hook",
        "https://internal.example/hook"
      })
  void normal_webhookThatMayBeCalled_isKept(String url) {
    assertThat(addresses.normal(ContactKind.WEBHOOK, url)).isEqualTo(url);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "hooks.example",
        "http://hooks.example/",
        "ftp://hooks.example/",
        "https://user:secret@hooks.example/",
        "https://hooks.example/#part",
        "https:///path",
        "https://hooks.example/a b",
        "https://hooks.example/\r\nHost: internal",
        "https://unknown.example/",
        "https://private.example/",
        "https://mixed.example/",
        "https://localhost/",
        "https://10.0.0.1/",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://2130706433/",
        "file:///etc/passwd"
      })
  void normal_webhookThatMayNotBeCalled_isInvalid(String url) {
    refused(ContactKind.WEBHOOK, url);
  }

  @Test
  void normal_longWebhook_isInvalid() {
    refused(ContactKind.WEBHOOK, "https://hooks.example/" + "a".repeat(2_000));
  }

  private void refused(ContactKind kind, String address) {
    assertThatThrownBy(() -> addresses.normal(kind, address))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.code()).isEqualTo("contact.address");
              assertThat(failure.violations().getFirst().field()).isEqualTo("address");
            });
  }

  private static List<InetAddress> resolve(String host) throws UnknownHostException {
    return switch (host) {
      case "hooks.example" -> List.of(InetAddress.getByName("93.184.215.14"));
      case "internal.example", "private.example" -> List.of(InetAddress.getByName("10.1.2.3"));
      case "mixed.example" ->
          List.of(InetAddress.getByName("93.184.215.14"), InetAddress.getByName("10.1.2.3"));
      case "localhost" -> List.of(InetAddress.getLoopbackAddress());
      case "2130706433" -> List.of(InetAddress.getByName("127.0.0.1"));
      default -> {
        if (host.matches("[0-9.]+|[0-9a-f:.]+")) {
          yield List.of(InetAddress.getByName(host));
        }
        throw new UnknownHostException(host);
      }
    };
  }
}
