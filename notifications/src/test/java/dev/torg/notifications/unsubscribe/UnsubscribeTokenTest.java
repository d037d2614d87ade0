package dev.torg.notifications.unsubscribe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.notifications.Channel;
import dev.torg.notifications.NotificationTopics;
import dev.torg.platform.Failure;
import dev.torg.platform.identity.MessageAuthenticator;
import dev.torg.platform.identity.SigningKeys;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Base64;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnsubscribeTokenTest {
  private static final UnsubscribeToken TOKEN =
      new UnsubscribeToken("user:42", "searches", Channel.EMAIL);

  @TempDir Path directory;
  private MessageAuthenticator authenticator;

  @BeforeEach
  void openKeys() {
    authenticator =
        new MessageAuthenticator(
            SigningKeys.open(directory.resolve("keys.json"), InstantSource.system()));
  }

  @Test
  void verify_signedToken_isItsContent() {
    String signed = TOKEN.sign(authenticator);
    assertThat(signed).matches("[A-Za-z0-9._-]+");
    assertThat(UnsubscribeToken.verify(authenticator, signed)).isEqualTo(TOKEN);
  }

  @Test
  void verify_everyAlteredCharacter_isRefused() {
    String signed = TOKEN.sign(authenticator);
    for (int i = 0; i < signed.length(); i++) {
      char replaced = signed.charAt(i) == 'B' ? 'C' : 'B';
      refused(signed.substring(0, i) + replaced + signed.substring(i + 1));
      refused(signed.substring(0, i));
    }
    refused(signed + "A");
  }

  @Test
  void verify_contentOfAnotherPersonWithThisCode_isRefused() {
    String signed = TOKEN.sign(authenticator);
    String other =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString("user:43\nsearches\nEMAIL".getBytes(StandardCharsets.UTF_8));
    refused(other + signed.substring(signed.indexOf('.')));
    refused(other);
    refused(other + ".");
  }

  /// A code for another purpose, or a text that is no link, is not accepted although its code is right.
  @Test
  void verify_codeOfSomethingElse_isRefused() {
    String content = TOKEN.sign(authenticator);
    content = content.substring(0, content.indexOf('.'));
    refused(content + "." + authenticator.code("contact-code", content));
    refused("!!!." + authenticator.code("unsubscribe", "!!!"));
    refused("QQ." + authenticator.code("unsubscribe", "QQ"));
  }

  @Test
  void verify_longToken_isRefused() {
    refused("A".repeat(100_000) + ".");
    refused("");
  }

  @Test
  void link_topicThatCannotBeMuted_isEmpty() {
    SignedUnsubscribeLinks links =
        new SignedUnsubscribeLinks(
            "https://torg.example", NotificationTopics.defaults(), authenticator);
    assertThat(links.link("user:42", "searches", Channel.EMAIL))
        .isEqualTo("https://torg.example/v1/unsubscribe?t=" + TOKEN.sign(authenticator));
    assertThat(links.link("user:42", NotificationTopics.ACCOUNT, Channel.EMAIL)).isEmpty();
    assertThat(links.link("user:42", "lamps", Channel.EMAIL)).isEmpty();
  }

  private void refused(String token) {
    assertThatThrownBy(() -> UnsubscribeToken.verify(authenticator, token))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.code()).isEqualTo("unsubscribe.link"));
  }
}
