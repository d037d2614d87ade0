package dev.torg.notifications.unsubscribe;

import dev.torg.notifications.Channel;
import dev.torg.platform.Failure;
import dev.torg.platform.identity.MessageAuthenticator;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/// The content of a link: who unsubscribes from what. It has no end: mails are read years later.
record UnsubscribeToken(String recipient, String topic, Channel channel) {
  private static final String PURPOSE = "unsubscribe";

  /// A subject has at most 136 characters and a topic a few dozen.
  private static final int MAX_LENGTH = 1_000;

  private static final int PARTS = 3;

  /// The content in base64url, a dot and its code.
  String sign(MessageAuthenticator authenticator) {
    String text = recipient + "\n" + topic + "\n" + channel;
    String content =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(text.getBytes(StandardCharsets.UTF_8));
    return content + "." + authenticator.code(PURPOSE, content);
  }

  /// The content of a link that this installation created, or INVALID.
  static UnsubscribeToken verify(MessageAuthenticator authenticator, String token) {
    int dot = token.indexOf('.');
    if (token.length() > MAX_LENGTH || dot < 1) {
      throw invalid();
    }
    String content = token.substring(0, dot);
    if (!authenticator.isValid(PURPOSE, content, token.substring(dot + 1))) {
      throw invalid();
    }
    return parse(content).orElseThrow(UnsubscribeToken::invalid);
  }

  private static Optional<UnsubscribeToken> parse(String content) {
    try {
      String text = new String(Base64.getUrlDecoder().decode(content), StandardCharsets.UTF_8);
      String[] parts = text.split("\n", -1);
      return parts.length == PARTS
          ? Optional.of(new UnsubscribeToken(parts[0], parts[1], Channel.valueOf(parts[2])))
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  static Failure invalid() {
    return Failure.invalid(
        "unsubscribe.link", "this link is incomplete or was altered", "t", "is not valid");
  }
}
