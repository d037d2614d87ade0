package dev.torg.notifications.channel;

import dev.torg.notifications.channel.MessageAttachment.Kind;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Messages for tests of senders.
public final class TestMessages {
  public static final MessageContent CONTENT =
      new MessageContent(
          "VW Golf for <sale>",
          "One owner & full history.\n\nPrice: 9 900 €",
          Optional.of("https://img.example/golf.jpg"),
          new MessageAction("/offers/7", "torg://offers/7", "", "offer", "{\"id\":\"7\"}"),
          List.of(
              new MessageButton("Show", MessageAction.link("https://torg.example/offers/7")),
              new MessageButton("Save", MessageAction.link("/save/7"))),
          Optional.of("NEW_OFFER"),
          List.of(
              new MessageAttachment(Kind.IMAGE, "https://img.example/golf.jpg", ""),
              new MessageAttachment(
                  Kind.VIDEO, "https://img.example/golf.mp4", "https://img.example/frame.jpg"),
              new MessageAttachment(
                  Kind.FILE,
                  "https://img.example/%D0%9F%D0%A2%D0%A1%20%E2%80%AE1.pdf?a=1&b=2",
                  "")));

  private TestMessages() {}

  public static OutgoingMessage to(DeliveryTarget target) {
    return to(target, CONTENT);
  }

  public static OutgoingMessage expiring(DeliveryTarget target, Instant expiresAt) {
    return new OutgoingMessage(
        "1001",
        "user:7",
        "searches",
        target,
        CONTENT,
        Locale.ENGLISH,
        "https://torg.example/v1/unsubscribe?t=abc",
        Optional.of(expiresAt));
  }

  public static OutgoingMessage to(DeliveryTarget target, MessageContent content) {
    return new OutgoingMessage(
        "1001",
        "user:7",
        "searches",
        target,
        content,
        Locale.ENGLISH,
        "https://torg.example/v1/unsubscribe?t=abc");
  }
}
