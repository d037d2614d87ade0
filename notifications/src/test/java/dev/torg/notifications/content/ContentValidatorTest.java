package dev.torg.notifications.content;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.torg.api.v1.Attachment;
import dev.torg.api.v1.Button;
import dev.torg.api.v1.Notification;
import dev.torg.api.v1.NotificationContent;
import dev.torg.api.v1.OpenAction;
import dev.torg.platform.Failure.Violation;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ContentValidatorTest {
  private static final OpenAction OPEN =
      OpenAction.newBuilder()
          .setWeb("https://torg.example/offers/1")
          .setAndroid("torg://offers/1")
          .setIos("torg://offers/1")
          .setType("offer")
          .setPayload(Value.newBuilder().setStringValue("1"))
          .build();

  private static final NotificationContent COMPLETE =
      NotificationContent.newBuilder()
          .setTitle("Sold")
          .setText("Your offer\nwas sold")
          .addAttachments(attachment(Attachment.Kind.IMAGE, "1.jpg", ""))
          .addAttachments(attachment(Attachment.Kind.VIDEO, "1.mp4", "2.jpg"))
          .addAttachments(attachment(Attachment.Kind.FILE, "1.pdf", "3.jpg"))
          .setOpen(OPEN)
          .addButtons(Button.newBuilder().setText("Show").setOpen(OPEN))
          .setIosCategory("SALE")
          .build();

  private static Attachment attachment(Attachment.Kind kind, String file, String preview) {
    return Attachment.newBuilder()
        .setKind(kind)
        .setUrl("https://torg.example/" + file)
        .setPreview(preview.isEmpty() ? "" : "https://torg.example/" + preview)
        .build();
  }

  private static List<String> fields(Consumer<NotificationContent.Builder> change) {
    NotificationContent.Builder content = COMPLETE.toBuilder();
    change.accept(content);
    return ContentValidator.violations("content", content.build()).stream()
        .map(Violation::field)
        .toList();
  }

  @Test
  void violations_completeContent_areNone() {
    assertThat(ContentValidator.violations("content", COMPLETE)).isEmpty();
  }

  @Test
  void violations_eachField_isNamed() {
    assertThat(fields(c -> c.setTitle(" "))).containsExactly("content.title");
    assertThat(fields(c -> c.setTitle("x".repeat(201)))).containsExactly("content.title");
    assertThat(fields(c -> c.setText("x".repeat(4001)))).containsExactly("content.text");
    assertThat(fields(c -> c.setText("a\u202Eb"))).containsExactly("content.text");
    assertThat(fields(c -> c.setIosCategory("a b"))).containsExactly("content.iosCategory");
    assertThat(fields(c -> c.getOpenBuilder().setWeb("javascript:alert(1)")))
        .containsExactly("content.open.web");
    assertThat(fields(c -> c.getOpenBuilder().setAndroid("x")))
        .containsExactly("content.open.android");
    assertThat(fields(c -> c.getOpenBuilder().setIos("data:x")))
        .containsExactly("content.open.ios");
    assertThat(fields(c -> c.getOpenBuilder().setType("1 offer")))
        .containsExactly("content.open.type");
    assertThat(fields(c -> c.getOpenBuilder().getPayloadBuilder().setStringValue("x".repeat(4097))))
        .containsExactly("content.open.payload");
  }

  /// JSON cannot contain them, gRPC can; the bell could not be listed any more.
  @Test
  void violations_payloadThatIsNoJson_isNamed() {
    Value notANumber = Value.newBuilder().setNumberValue(Double.NaN).build();
    for (Value payload :
        List.of(
            Value.getDefaultInstance(),
            notANumber,
            Value.newBuilder().setNumberValue(Double.POSITIVE_INFINITY).build(),
            Value.newBuilder().setListValue(ListValue.newBuilder().addValues(notANumber)).build(),
            Value.newBuilder()
                .setStructValue(Struct.newBuilder().putFields("x", notANumber))
                .build())) {
      assertThat(fields(c -> c.getOpenBuilder().setPayload(payload)))
          .as("%s", payload)
          .containsExactly("content.open.payload");
    }
  }

  @Test
  void violations_attachmentsAndButtons_areNamedByPosition() {
    assertThat(fields(c -> c.getAttachmentsBuilder(1).setKind(Attachment.Kind.KIND_UNSPECIFIED)))
        .containsExactly("content.attachments[1].kind");
    assertThat(fields(c -> c.getAttachmentsBuilder(0).setKindValue(9)))
        .containsExactly("content.attachments[0].kind");
    assertThat(fields(c -> c.getAttachmentsBuilder(2).setUrl("")))
        .containsExactly("content.attachments[2].url");
  }

  @Test
  void violations_tooManyItems_areReportedOnce() {
    assertThat(fields(c -> c.addAllAttachments(Collections.nCopies(8, COMPLETE.getAttachments(0)))))
        .containsExactly("content.attachments");
    assertThat(fields(c -> c.addAllButtons(Collections.nCopies(5, COMPLETE.getButtons(0)))))
        .containsExactly("content.buttons");
    assertThat(fields(c -> c.getButtonsBuilder(0).clearOpen()))
        .containsExactly("content.buttons[0].open");
    assertThat(fields(c -> c.getButtonsBuilder(0).setText("x".repeat(51))))
        .containsExactly("content.buttons[0].text");
  }

  @Test
  void violations_manyBytes_areReportedAlone() {
    assertThat(
            fields(
                c ->
                    c.clearAttachments()
                        .addAllAttachments(
                            Collections.nCopies(
                                10, attachment(Attachment.Kind.IMAGE, "x".repeat(1_900), "")))))
        .containsExactly("content");
  }

  @Test
  void bellContent_ofContent_fillsTheOlderFieldsToo() {
    Notification notification = BellContent.of(COMPLETE);
    assertThat(notification.getAttachmentsList()).isEqualTo(COMPLETE.getAttachmentsList());
    assertThat(notification.getMediaList())
        .containsExactly("https://torg.example/1.jpg", "https://torg.example/2.jpg");
    assertThat(notification.getAction()).isEqualTo(OPEN.getWeb());
    assertThat(notification.getOpen()).isEqualTo(OPEN);
    assertThat(notification.getButtonsList())
        .containsExactly(
            Button.newBuilder()
                .setText("Show")
                .setTitle("Show")
                .setAction(OPEN.getWeb())
                .setOpen(OPEN)
                .build());
  }

  @Test
  void bellContent_buttonOfTheOlderForm_isCompleted() {
    NotificationContent content =
        NotificationContent.newBuilder()
            .setTitle("Sold")
            .addButtons(Button.newBuilder().setTitle("Show").setAction("https://torg.example/1"))
            .build();
    assertThat(ContentValidator.violations("content", content)).isEmpty();
    assertThat(BellContent.of(content).getButtons(0).getOpen().getWeb())
        .isEqualTo("https://torg.example/1");
  }
}
