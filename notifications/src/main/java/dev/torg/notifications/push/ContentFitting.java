package dev.torg.notifications.push;

import dev.torg.notifications.channel.MessageAction;
import dev.torg.notifications.channel.MessageButton;
import dev.torg.notifications.channel.MessageContent;
import dev.torg.notifications.channel.PlainText;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// Fits the content of a push into the limit of a provider. The text is shortened. Only if that is not enough, payloads,
/// the image, the buttons, the title and finally the links are left out or shortened, in this order.
final class ContentFitting {
  /// What the systems show.
  static final int MAX_BUTTONS = 3;

  /// More than any device shows.
  private static final int MAX_TITLE = 150;

  private static final List<UnaryOperator<MessageContent>> REDUCTIONS =
      List.of(
          UnaryOperator.identity(),
          ContentFitting::withoutPayloads,
          content -> withImage(content, Optional.empty()),
          content -> withButtons(content, List.of()),
          content ->
              withTexts(
                  content, PlainText.shortened(content.title(), MAX_TITLE, "…"), content.text()),
          content -> withAction(content, MessageAction.NONE));

  private ContentFitting() {}

  /// @param encode creates the body of the push
  static byte[] fit(MessageContent content, int maxBytes, Function<MessageContent, byte[]> encode) {
    MessageContent candidate = withButtons(content, content.buttons());
    byte[] whole = encode.apply(candidate);
    if (whole.length <= maxBytes) {
      return whole;
    }
    for (UnaryOperator<MessageContent> reduction : REDUCTIONS) {
      candidate = reduction.apply(candidate);
      if (encode.apply(withTextLength(candidate, 0)).length <= maxBytes) {
        return encode.apply(withTextLength(candidate, longest(candidate, maxBytes, encode)));
      }
    }
    return encode.apply(withTextLength(candidate, 0));
  }

  /// The longest text that fits, by binary search: the size grows with the length.
  private static int longest(
      MessageContent content, int maxBytes, Function<MessageContent, byte[]> encode) {
    int low = 0;
    int high = Math.min(content.text().length(), maxBytes);
    while (low < high) {
      int middle = (low + high + 1) / 2;
      if (encode.apply(withTextLength(content, middle)).length <= maxBytes) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  private static MessageContent withTextLength(MessageContent content, int length) {
    return withTexts(content, content.title(), PlainText.shortened(content.text(), length, "…"));
  }

  private static MessageContent withoutPayloads(MessageContent content) {
    List<MessageButton> buttons =
        content.buttons().stream()
            .map(button -> new MessageButton(button.text(), withoutPayload(button.action())))
            .toList();
    return withAction(withButtons(content, buttons), withoutPayload(content.action()));
  }

  private static MessageAction withoutPayload(MessageAction action) {
    return new MessageAction(action.web(), action.android(), action.ios(), action.type(), "");
  }

  private static MessageContent withTexts(MessageContent content, String title, String text) {
    return new MessageContent(
        title, text, content.image(), content.action(), content.buttons(), content.iosCategory());
  }

  private static MessageContent withImage(MessageContent content, Optional<String> image) {
    return new MessageContent(
        content.title(),
        content.text(),
        image,
        content.action(),
        content.buttons(),
        content.iosCategory());
  }

  private static MessageContent withAction(MessageContent content, MessageAction action) {
    return new MessageContent(
        content.title(),
        content.text(),
        content.image(),
        action,
        content.buttons(),
        content.iosCategory());
  }

  private static MessageContent withButtons(MessageContent content, List<MessageButton> buttons) {
    return new MessageContent(
        content.title(),
        content.text(),
        content.image(),
        content.action(),
        buttons.subList(0, Math.min(MAX_BUTTONS, buttons.size())),
        content.iosCategory());
  }
}
