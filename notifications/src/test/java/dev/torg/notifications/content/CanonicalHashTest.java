package dev.torg.notifications.content;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.torg.api.v1.NotificationContent;
import dev.torg.api.v1.SendNotificationRequest;
import dev.torg.api.v1.TemplateUse;
import org.junit.jupiter.api.Test;

class CanonicalHashTest {
  private static Value text(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }

  @Test
  void of_sameContent_isEqualWhateverTheOrderOfEntries() {
    TemplateUse one =
        TemplateUse.newBuilder().putParams("a", text("1")).putParams("b", text("2")).build();
    TemplateUse other =
        TemplateUse.newBuilder().putParams("b", text("2")).putParams("a", text("1")).build();
    assertThat(CanonicalHash.of(one)).isEqualTo(CanonicalHash.of(other));
  }

  @Test
  void of_otherContent_differs() {
    SendNotificationRequest request =
        SendNotificationRequest.newBuilder().addRecipients("a").addRecipients("bc").build();
    assertThat(CanonicalHash.of(request))
        .isNotEqualTo(
            CanonicalHash.of(
                SendNotificationRequest.newBuilder()
                    .addRecipients("ab")
                    .addRecipients("c")
                    .build()));
    assertThat(CanonicalHash.of(request))
        .isNotEqualTo(CanonicalHash.of(request.toBuilder().setTopic("news").build()));
    assertThat(
            CanonicalHash.of(
                Struct.newBuilder().putFields("a", text("b")).putFields("c", text("")).build()))
        .isNotEqualTo(
            CanonicalHash.of(
                Struct.newBuilder().putFields("a", text("")).putFields("c", text("b")).build()));
  }

  /// Hashes are stored for years: a change of the definition would turn repeated requests into conflicts.
  @Test
  void of_knownMessage_isTheKnownHash() {
    SendNotificationRequest request =
        SendNotificationRequest.newBuilder()
            .addRecipients("user:1")
            .setTopic("news")
            .setContent(NotificationContent.newBuilder().setTitle("Hello"))
            .build();
    assertThat(CanonicalHash.of(request).toString())
        .isEqualTo("f1794e1a70b21c0b0efea7a048b519153dcdef30d9cf2e54312fd550ab01aab6");
  }
}
