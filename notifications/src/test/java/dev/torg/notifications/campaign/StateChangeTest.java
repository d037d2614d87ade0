package dev.torg.notifications.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.api.v1.CreateCampaignRequest;
import dev.torg.api.v1.NotificationTemplate;
import dev.torg.notifications.campaign.StoredCampaign.State;
import dev.torg.platform.Failure;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StateChangeTest {
  @ParameterizedTest
  @CsvSource({
    "START_AT_ONCE, UPLOADING, STARTED,   true",
    "START_AT_ONCE, PAUSED,    PAUSED,    true",
    "START,         UPLOADING, STARTED,   false",
    "START,         STARTED,   STARTED,   false",
    "START,         PAUSED,    PAUSED,    false",
    "START,         FINISHED,  FINISHED,  false",
    "PAUSE,         STARTED,   PAUSED,    true",
    "PAUSE,         PAUSED,    PAUSED,    true",
    "RESUME,        PAUSED,    STARTED,   true",
    "RESUME,        STARTED,   STARTED,   true",
    "CANCEL,        UPLOADING, CANCELLED, false",
    "CANCEL,        STARTED,   CANCELLED, false",
    "CANCEL,        PAUSED,    CANCELLED, false",
    "CANCEL,        CANCELLED, CANCELLED, false",
    "REOPEN,        FINISHED,  STARTED,   true",
    "REOPEN,        CANCELLED, CANCELLED, true",
  })
  void next_allowedChange_isTheNewState(
      StateChange change, State from, State to, boolean accepting) {
    assertThat(change.next(campaign(from))).isEqualTo(new StateChange.Next(to, accepting));
  }

  @ParameterizedTest
  @CsvSource({
    "START,  CANCELLED",
    "PAUSE,  UPLOADING",
    "PAUSE,  CANCELLED",
    "PAUSE,  FINISHED",
    "RESUME, UPLOADING",
    "RESUME, CANCELLED",
    "RESUME, FINISHED",
    "CANCEL, FINISHED",
  })
  void next_otherChange_isConflict(StateChange change, State from) {
    assertThatThrownBy(() -> change.next(campaign(from)))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.kind()).isEqualTo(Failure.Kind.CONFLICT);
              assertThat(failure.code()).isEqualTo("campaign.status");
            });
  }

  private static StoredCampaign campaign(State state) {
    return new StoredCampaign(
        new CampaignKey("service:s", "c"),
        state,
        true,
        Instant.EPOCH,
        Optional.empty(),
        CreateCampaignRequest.getDefaultInstance(),
        NotificationTemplate.getDefaultInstance());
  }
}
