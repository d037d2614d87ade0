package dev.torg.notifications.channel;

import java.util.List;
import java.util.Optional;

/// What a message says, in plain text; each sender escapes it for its channel.
///
/// @param image the address of an image, or of a video's preview
/// @param iosCategory the push category that provides the buttons on iOS
/// @param attachments all of them, the one behind `image` too
public record MessageContent(
    String title,
    String text,
    Optional<String> image,
    MessageAction action,
    List<MessageButton> buttons,
    Optional<String> iosCategory,
    List<MessageAttachment> attachments) {
  public MessageContent {
    buttons = List.copyOf(buttons);
    attachments = List.copyOf(attachments);
  }

  /// Without attachments.
  public MessageContent(
      String title,
      String text,
      Optional<String> image,
      MessageAction action,
      List<MessageButton> buttons,
      Optional<String> iosCategory) {
    this(title, text, image, action, buttons, iosCategory, List.of());
  }

  public static MessageContent of(String title, String text) {
    return new MessageContent(
        title, text, Optional.empty(), MessageAction.NONE, List.of(), Optional.empty());
  }
}
