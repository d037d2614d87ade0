package dev.torg.notifications.channel;

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
          Optional.of("NEW_OFFER"));

  private TestMessages() {}

  public static OutgoingMessage to(DeliveryTarget target) {
    return to(target, CONTENT);
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
