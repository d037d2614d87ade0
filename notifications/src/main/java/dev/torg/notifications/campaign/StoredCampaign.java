package dev.torg.notifications.campaign;

import dev.torg.api.v1.CreateCampaignRequest;
import dev.torg.api.v1.NotificationTemplate;
import dev.torg.platform.EpochMicros;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// A campaign as it is stored.
///
/// @param accepting whether the sender may add recipients
/// @param sendAt empty until it starts, if the sender gave no time
/// @param request without recipients
/// @param content by language
record StoredCampaign(
    CampaignKey key,
    State state,
    boolean accepting,
    Instant createdAt,
    Optional<Instant> sendAt,
    CreateCampaignRequest request,
    NotificationTemplate content) {
  /// The numbers are stored.
  enum State {
    UPLOADING,
    STARTED,
    PAUSED,
    CANCELLED,
    FINISHED;

    int number() {
      return ordinal() + 1;
    }

    static State of(int number) {
      return values()[number - 1];
    }
  }

  /// Whether recipients become due at different times.
  boolean isDistributed() {
    return request.getRespectTimezone() || spreadSeconds() > 0;
  }

  long spreadSeconds() {
    return request.getSpreadOver().getSeconds();
  }

  boolean hasCriterion() {
    return request.getAudience().hasSellersWith();
  }

  /// Whether it named its recipients when it was created: it runs although more may be added.
  boolean startedAtOnce() {
    return accepting && state != State.UPLOADING;
  }

  boolean isDueAt(Instant now) {
    return sendAt.isPresent() && !now.isBefore(sendAt.get());
  }

  boolean isExpiredAt(Instant now) {
    return expiresAt().isPresent() && !now.isBefore(expiresAt().get());
  }

  Optional<Instant> expiresAt() {
    return request.hasExpiresAt()
        ? Optional.of(EpochMicros.instant(request.getExpiresAt()))
        : Optional.empty();
  }

  /// The time from which the offsets of recipients are counted when they are added. A campaign that starts later than it
  /// was created, because no time was given, keeps the offsets.
  Instant offsetsFrom() {
    return sendAt.orElse(createdAt);
  }

  /// The highest offset that is due. Without meaning for a campaign that is not distributed.
  int dueOffset(Instant now) {
    long seconds = Duration.between(sendAt.orElse(now), now).toSeconds();
    return (int) Math.min(Integer.MAX_VALUE, seconds);
  }
}
