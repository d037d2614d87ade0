package dev.torg.notifications.push;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.channel.MessageAction;
import dev.torg.notifications.channel.MessageButton;
import dev.torg.notifications.channel.MessageContent;
import dev.torg.notifications.channel.OutgoingMessage;
import dev.torg.notifications.channel.TestMessages;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContentFittingTest {
  private static final OutgoingMessage MESSAGE =
      TestMessages.to(new DeliveryTarget.Fcm("d1", "1.0", "t"));

  private static String fit(MessageContent content, int maxBytes) {
    byte[] fitted = ContentFitting.fit(content, maxBytes, each -> PushJson.web(MESSAGE, each));
    assertThat(fitted.length).isLessThanOrEqualTo(maxBytes);
    return new String(fitted, StandardCharsets.UTF_8);
  }

  @Test
  void fit_moreThanThreeButtons_keepsThree() {
    MessageButton button = new MessageButton("b", MessageAction.NONE);
    String json =
        fit(
            new MessageContent(
                "t",
                "x",
                Optional.empty(),
                MessageAction.NONE,
                Collections.nCopies(5, button),
                Optional.empty()),
            4000);
    assertThat(json.split("\"title\":\"b\"", -1)).hasSize(4);
  }

  @ParameterizedTest
  @CsvSource({"a", "я", "\uD83D\uDE97", "'\"'"})
  void fit_longText_isShortenedBetweenCharacters(String character) {
    String json = fit(MessageContent.of("Title", character.repeat(5000)), 1000);
    assertThat(json).contains("Title").contains("…\"").doesNotContain("\uFFFD", "?");
    assertThat(json.getBytes(StandardCharsets.UTF_8).length).isGreaterThan(985);
  }

  @ParameterizedTest
  @CsvSource({"10, 10, 10", "9000, 10, 10", "10, 9000, 10", "10, 10, 9000", "9000, 9000, 9000"})
  void fit_anyPartTooLong_neverFails(int title, int link, int payload) {
    MessageAction action =
        new MessageAction("https://x/" + "l".repeat(link), "", "", "t", "p".repeat(payload));
    String json =
        fit(
            new MessageContent(
                "T".repeat(title),
                "text",
                Optional.of("https://x/" + "i".repeat(link)),
                action,
                List.of(new MessageButton("b".repeat(title), action)),
                Optional.empty()),
            3993);
    assertThat(json).contains("\"id\":\"1001\"").contains("\"title\":\"T");
  }
}
