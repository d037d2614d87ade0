package dev.torg.notifications.sms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.notifications.channel.ContentLinks;
import dev.torg.notifications.channel.MessageAction;
import dev.torg.notifications.channel.MessageContent;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SmsTextTest {
  private static final ContentLinks LINKS = new ContentLinks("https://torg.example");

  @ParameterizedTest
  @CsvSource({
    "a, 160, 1",
    "a, 161, 2",
    "a, 306, 2",
    "a, 307, 3",
    "€, 80, 1",
    "€, 81, 2",
    "я, 70, 1",
    "я, 71, 2",
    "я, 201, 3",
    "я, 202, 4"
  })
  void segments_characters(String character, int count, int segments) {
    assertThat(SmsText.segments(character.repeat(count))).isEqualTo(segments);
  }

  @Test
  void of_titleTextAndLink_areLines() {
    MessageContent content =
        new MessageContent(
            "Title",
            "Text",
            Optional.empty(),
            MessageAction.link("/offers/7"),
            List.of(),
            Optional.empty());
    assertThat(SmsText.of(content, LINKS, 3))
        .isEqualTo("Title\nText\nhttps://torg.example/offers/7");
  }

  @ParameterizedTest
  @CsvSource({"a", "я", "\uD83D\uDE97"})
  void of_longText_isShortenedAndKeepsTheLink(String character) {
    MessageContent content =
        new MessageContent(
            "Title",
            character.repeat(2000),
            Optional.empty(),
            MessageAction.link("/offers/7"),
            List.of(),
            Optional.empty());
    String text = SmsText.of(content, LINKS, 3);
    assertThat(SmsText.segments(text)).isEqualTo(3);
    assertThat(text).startsWith("Title\n").endsWith("...\nhttps://torg.example/offers/7");
  }

  @Test
  void of_linkThatLeavesNoSpace_isLeftOut() {
    MessageContent content =
        new MessageContent(
            "Title of some length",
            "Text",
            Optional.empty(),
            MessageAction.link("/" + "x".repeat(500)),
            List.of(),
            Optional.empty());
    assertThat(SmsText.of(content, LINKS, 3)).isEqualTo("Title of some length\nText");
  }
}
