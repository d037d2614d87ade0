package dev.torg.notifications.content;

import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.torg.api.v1.Attachment;
import dev.torg.api.v1.Button;
import dev.torg.api.v1.NotificationContent;
import dev.torg.api.v1.OpenAction;
import java.util.function.UnaryOperator;

/// Replaces the texts and the links of a content. Action types and the iOS category are names and stay.
///
/// @param text applied to each text, and to each string of a payload
/// @param link applied to each address
public record ContentStrings(UnaryOperator<String> text, UnaryOperator<String> link) {
  public NotificationContent replace(NotificationContent content) {
    NotificationContent.Builder replaced =
        content.toBuilder()
            .setTitle(text.apply(content.getTitle()))
            .setText(text.apply(content.getText()))
            .clearAttachments()
            .clearButtons();
    content.getAttachmentsList().forEach(one -> replaced.addAttachments(attachment(one)));
    content.getButtonsList().forEach(one -> replaced.addButtons(button(one)));
    if (content.hasOpen()) {
      replaced.setOpen(open(content.getOpen()));
    }
    return replaced.build();
  }

  private Attachment attachment(Attachment attachment) {
    return attachment.toBuilder()
        .setUrl(link.apply(attachment.getUrl()))
        .setPreview(link.apply(attachment.getPreview()))
        .build();
  }

  private Button button(Button button) {
    return Button.newBuilder()
        .setText(text.apply(BellContent.label(button)))
        .setOpen(open(BellContent.open(button)))
        .build();
  }

  private OpenAction open(OpenAction open) {
    OpenAction.Builder replaced =
        open.toBuilder()
            .setWeb(link.apply(open.getWeb()))
            .setAndroid(link.apply(open.getAndroid()))
            .setIos(link.apply(open.getIos()));
    if (open.hasPayload()) {
      replaced.setPayload(value(open.getPayload()));
    }
    return replaced.build();
  }

  private Value value(Value value) {
    return switch (value.getKindCase()) {
      case STRING_VALUE ->
          Value.newBuilder().setStringValue(text.apply(value.getStringValue())).build();
      case LIST_VALUE -> {
        ListValue.Builder list = ListValue.newBuilder();
        value.getListValue().getValuesList().forEach(item -> list.addValues(value(item)));
        yield Value.newBuilder().setListValue(list).build();
      }
      case STRUCT_VALUE -> {
        Struct.Builder struct = Struct.newBuilder();
        value
            .getStructValue()
            .getFieldsMap()
            .forEach((name, field) -> struct.putFields(name, value(field)));
        yield Value.newBuilder().setStructValue(struct).build();
      }
      case NULL_VALUE, NUMBER_VALUE, BOOL_VALUE, KIND_NOT_SET -> value;
    };
  }
}
