package dev.torg.notifications.content;

import dev.torg.api.v1.Attachment;
import dev.torg.api.v1.Button;
import dev.torg.api.v1.Notification;
import dev.torg.api.v1.NotificationContent;
import dev.torg.api.v1.OpenAction;
import java.util.List;
import java.util.stream.Stream;

/// The form of content in the bell. The older fields `media` and `action` repeat what newer ones contain, for clients
/// that read only those.
public final class BellContent {
  private BellContent() {}

  public static Notification of(NotificationContent content) {
    Notification.Builder notification =
        Notification.newBuilder()
            .setTitle(content.getTitle())
            .setText(content.getText())
            .addAllMedia(images(content.getAttachmentsList()))
            .addAllAttachments(content.getAttachmentsList());
    if (content.hasOpen()) {
      notification.setOpen(content.getOpen()).setAction(content.getOpen().getWeb());
    }
    content.getButtonsList().forEach(button -> notification.addButtons(button(button)));
    return notification.build();
  }

  private static List<String> images(List<Attachment> attachments) {
    return attachments.stream()
        .flatMap(
            attachment ->
                switch (attachment.getKind()) {
                  case IMAGE -> Stream.of(attachment.getUrl());
                  case VIDEO -> Stream.of(attachment.getPreview());
                  case FILE, KIND_UNSPECIFIED, UNRECOGNIZED -> Stream.<String>empty();
                })
        .filter(address -> !address.isEmpty())
        .toList();
  }

  private static Button button(Button button) {
    OpenAction open = open(button);
    return Button.newBuilder()
        .setText(label(button))
        .setTitle(label(button))
        .setOpen(open)
        .setAction(open.getWeb())
        .build();
  }

  /// The label of a button in either form.
  static String label(Button button) {
    return button.getText().isEmpty() ? button.getTitle() : button.getText();
  }

  /// What a button opens, in either form.
  static OpenAction open(Button button) {
    return button.hasOpen()
        ? button.getOpen()
        : OpenAction.newBuilder().setWeb(button.getAction()).build();
  }
}
