package dev.torg.offers.moderation;

import dev.torg.api.v1.Opinion;
import dev.torg.offers.category.Violations;
import dev.torg.platform.Failure;
import dev.torg.platform.Failure.Violation;
import java.util.ArrayList;
import java.util.List;

/// Checks opinions and reports of requests. Pure.
final class ModerationValidator {
  private static final int MAX_REASONS = 20;
  private static final int MAX_REASON_CHARACTERS = 500;
  private static final int MAX_TEXT_CHARACTERS = 4_000;

  private ModerationValidator() {}

  static void checkOpinion(Opinion opinion) {
    List<Violation> violations = new ArrayList<>();
    if (!isKnown(opinion.getVerdict())) {
      violations.add(new Violation("opinion.verdict", "must be BAN, UNBAN or OK"));
    }
    boolean tooLong =
        opinion.getReasonsList().stream().anyMatch(r -> isBad(r, MAX_REASON_CHARACTERS));
    if (opinion.getReasonsCount() > MAX_REASONS || tooLong) {
      violations.add(
          new Violation("opinion.reasons", "must be at most 20 of at most 500 characters each"));
    }
    if (!violations.isEmpty()) {
      throw Failure.invalid("opinion.invalid", "the opinion is not complete", violations);
    }
  }

  static void checkReport(String reason, String text) {
    List<Violation> violations = new ArrayList<>();
    if (reason.isBlank() || isBad(reason, MAX_REASON_CHARACTERS)) {
      violations.add(new Violation("reason", "is required and has at most 500 characters"));
    }
    if (isBad(text, MAX_TEXT_CHARACTERS)) {
      violations.add(new Violation("text", "must be readable text of at most 4000 characters"));
    }
    if (!violations.isEmpty()) {
      throw Failure.invalid("report.invalid", "the report is not complete", violations);
    }
  }

  private static boolean isKnown(Opinion.Verdict verdict) {
    return switch (verdict) {
      case BAN, UNBAN, OK -> true;
      case VERDICT_UNSPECIFIED, UNRECOGNIZED -> false;
    };
  }

  private static boolean isBad(String text, int max) {
    return text.length() > max || !Violations.isReadable(text);
  }
}
