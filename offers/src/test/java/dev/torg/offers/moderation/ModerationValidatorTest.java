package dev.torg.offers.moderation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Opinion;
import dev.torg.api.v1.Opinion.Verdict;
import dev.torg.platform.Failure;
import dev.torg.platform.Failure.Violation;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModerationValidatorTest {
  /// The number of reasons and the length of each.
  @ParameterizedTest
  @CsvSource({
    "0,  0,   ''",
    "20, 500, ''",
    "21, 1,   opinion.reasons",
    "1,  501, opinion.reasons",
  })
  void checkOpinion_reasons_areBounded(int count, int length, String expected) {
    Opinion opinion =
        Opinion.newBuilder()
            .setVerdict(Verdict.BAN)
            .addAllReasons(Collections.nCopies(count, "r".repeat(length)))
            .build();
    assertThat(fields(() -> ModerationValidator.checkOpinion(opinion))).isEqualTo(expected);
  }

  @Test
  void checkOpinion_severalViolations_areAllReported() {
    Opinion opinion = Opinion.newBuilder().addReasons("a\u0000").build();
    assertThat(fields(() -> ModerationValidator.checkOpinion(opinion)))
        .isEqualTo("opinion.verdict opinion.reasons");
  }

  /// 99 is a verdict of a newer client.
  @ParameterizedTest
  @CsvSource({"0, opinion.verdict", "1, ''", "2, ''", "3, ''", "99, opinion.verdict"})
  void checkOpinion_unknownVerdict_isInvalid(int verdict, String expected) {
    Opinion opinion = Opinion.newBuilder().setVerdictValue(verdict).build();
    assertThat(fields(() -> ModerationValidator.checkOpinion(opinion))).isEqualTo(expected);
  }

  /// The lengths of reason and text.
  @ParameterizedTest
  @CsvSource({
    "1,   0,    ''",
    "500, 4000, ''",
    "0,   0,    reason",
    "501, 0,    reason",
    "1,   4001, text",
    "0,   4001, reason text",
  })
  void checkReport_isBounded(int reason, int text, String expected) {
    assertThat(fields(() -> ModerationValidator.checkReport("r".repeat(reason), "t".repeat(text))))
        .isEqualTo(expected);
  }

  @Test
  void checkReport_blankOrUnreadable_isRefused() {
    assertThat(fields(() -> ModerationValidator.checkReport(" ", ""))).isEqualTo("reason");
    assertThat(fields(() -> ModerationValidator.checkReport("a\u0007", "b\u0007")))
        .isEqualTo("reason text");
  }

  private static String fields(Runnable check) {
    try {
      check.run();
      return "";
    } catch (Failure failure) {
      List<String> fields = failure.violations().stream().map(Violation::field).toList();
      return String.join(" ", fields);
    }
  }
}
