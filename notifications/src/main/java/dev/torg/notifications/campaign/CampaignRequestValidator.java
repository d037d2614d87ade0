package dev.torg.notifications.campaign;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import dev.torg.api.v1.Audience;
import dev.torg.api.v1.CreateCampaignRequest;
import dev.torg.notifications.AudienceCriterion;
import dev.torg.platform.Caller;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.Failure.Violation;
import dev.torg.platform.identity.Subject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Checks what is particular to a campaign: its audience and times.
record CampaignRequestValidator(AudienceCriterion criterion) {
  /// Named in the request itself; more are uploaded.
  static final int MAX_NAMED_RECIPIENTS = 5_000;

  static final java.time.Duration MAX_SPREAD = java.time.Duration.ofDays(30);
  static final java.time.Duration MAX_AHEAD = java.time.Duration.ofDays(366);

  /// Valid times of the API.
  private static final long MAX_EPOCH_SECOND = 253_402_300_799L;

  static boolean isRecipient(String recipient) {
    return Subject.isValid(recipient) && !recipient.startsWith(Subject.SERVICE_PREFIX);
  }

  void check(CreateCampaignRequest request, Instant now) {
    List<Violation> violations = new ArrayList<>();
    checkTimes(request, now, violations);
    checkAudience(request.getAudience(), violations);
    if (!violations.isEmpty()) {
      throw Failure.invalid("campaign.invalid", "the campaign is not valid", violations);
    }
    if (request.getAudience().hasSellersWith()) {
      criterion.check(request.getAudience().getSellersWith());
    }
  }

  private static void checkAudience(Audience audience, List<Violation> violations) {
    if (audience.hasUpload() == audience.hasSellersWith()) {
      violations.add(new Violation("audience", "must have exactly one of upload and sellersWith"));
    }
    List<String> recipients = audience.getUpload().getRecipientsList();
    if (recipients.size() > MAX_NAMED_RECIPIENTS) {
      violations.add(
          new Violation(
              "audience.upload.recipients",
              "must be at most %d: upload more".formatted(MAX_NAMED_RECIPIENTS)));
    }
    for (int i = 0; i < recipients.size(); i++) {
      if (!isRecipient(recipients.get(i))) {
        violations.add(new Violation("audience.upload.recipients[" + i + "]", recipientProblem()));
        return;
      }
    }
  }

  static String recipientProblem() {
    return "must look like %s42 or %s…".formatted(Caller.USER_PREFIX, Caller.ANONYMOUS_PREFIX);
  }

  private static void checkTimes(
      CreateCampaignRequest request, Instant now, List<Violation> violations) {
    Instant start = now;
    if (request.hasSendAt() && isTime("sendAt", request.getSendAt(), violations)) {
      start = EpochMicros.instant(request.getSendAt());
      if (start.isAfter(now.plus(MAX_AHEAD))) {
        violations.add(new Violation("sendAt", "must be at most a year ahead"));
      }
    }
    if (request.hasExpiresAt()
        && isTime("expiresAt", request.getExpiresAt(), violations)
        && !EpochMicros.instant(request.getExpiresAt()).isAfter(start.isAfter(now) ? start : now)) {
      violations.add(new Violation("expiresAt", "must be later than now and than sendAt"));
    }
    if (!isSpread(request.getSpreadOver())) {
      violations.add(new Violation("spreadOver", "must be 0 to 30 days, in whole seconds"));
    }
  }

  private static boolean isTime(String field, Timestamp time, List<Violation> violations) {
    boolean valid = time.getSeconds() >= 0 && time.getSeconds() <= MAX_EPOCH_SECOND;
    if (!valid) {
      violations.add(new Violation(field, "must be a time after 1970"));
    }
    return valid;
  }

  private static boolean isSpread(Duration spread) {
    return spread.getNanos() == 0
        && spread.getSeconds() >= 0
        && spread.getSeconds() <= MAX_SPREAD.toSeconds();
  }
}
