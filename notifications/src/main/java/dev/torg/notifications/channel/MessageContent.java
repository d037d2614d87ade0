package dev.torg.notifications.channel;

import java.util.List;
import java.util.Optional;

/// What a message says, in plain text; each sender escapes it for its channel.
///
/// @param image the address of an image, or of a video's preview
/// @param iosCategory the push category that provides the buttons on iOS
public record MessageContent(
    String title,
    String text,
    Optional<String> image,
    MessageAction action,
    List<MessageButton> buttons,
    Optional<String> iosCategory) {
  public MessageContent {
    buttons = List.copyOf(buttons);
  }

  public static MessageContent of(String title, String text) {
    return new MessageContent(
        title, text, Optional.empty(), MessageAction.NONE, List.of(), Optional.empty());
  }
}
