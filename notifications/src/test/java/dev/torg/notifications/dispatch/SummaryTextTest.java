package dev.torg.notifications.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.notifications.channel.MessageContent;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SummaryTextTest {
  @ParameterizedTest
  @CsvSource({
    "en, 2, 2 new notifications",
    "de, 5, 5 new notifications",
    "ru, 2, 2 новых уведомления",
    "ru, 5, 5 новых уведомлений",
    "ru, 11, 11 новых уведомлений",
    "ru, 21, 21 новое уведомление",
    "ru, 112, 112 новых уведомлений"
  })
  void of_anyNumber_hasTheRightForm(String language, int count, String title) {
    assertThat(SummaryText.of(Locale.of(language), Collections.nCopies(count, "t")).title())
        .isEqualTo(title);
  }

  @Test
  void of_moreThanTen_listsTenAndCountsTheOthers() {
    MessageContent content = SummaryText.of(Locale.ENGLISH, Collections.nCopies(12, "t"));
    assertThat(content.text().lines()).hasSize(11).endsWith("and 2 more");
    assertThat(SummaryText.of(Locale.ENGLISH, List.of("a", "b")).text()).isEqualTo("a\nb");
  }
}
