package dev.torg.notifications.campaign;

import dev.torg.notifications.campaign.StoredCampaign.State;
import dev.torg.platform.Failure;
import java.time.Instant;
import java.util.Optional;

/// Which changes of a campaign's state are allowed. A change to the state that it has changes nothing.
enum StateChange {
  /// Of a campaign that names its recipients or has a criterion.
  START_AT_ONCE,
  /// At the end of the uploads.
  START,
  PAUSE,
  RESUME,
  CANCEL,
  /// When recipients are added to a campaign that has written all it had.
  REOPEN;

  /// The state after a change.
  record Next(State state, boolean accepting) {
    /// The campaign's time, unless it has one.
    Optional<Instant> startedAt(Instant now) {
      return state == State.STARTED ? Optional.of(now) : Optional.empty();
    }
  }

  /// Fails with CONFLICT if the change is not allowed.
  Next next(StoredCampaign campaign) {
    State state = campaign.state();
    return switch (this) {
      case START_AT_ONCE ->
          new Next(state == State.UPLOADING ? State.STARTED : state, campaign.accepting());
      case START ->
          switch (state) {
            case UPLOADING -> new Next(State.STARTED, false);
            case STARTED, PAUSED, FINISHED -> new Next(state, false);
            case CANCELLED -> throw refused(state);
          };
      case PAUSE ->
          switch (state) {
            case STARTED, PAUSED -> new Next(State.PAUSED, campaign.accepting());
            case UPLOADING, CANCELLED, FINISHED -> throw refused(state);
          };
      case RESUME ->
          switch (state) {
            case STARTED, PAUSED -> new Next(State.STARTED, campaign.accepting());
            case UPLOADING, CANCELLED, FINISHED -> throw refused(state);
          };
      case CANCEL ->
          switch (state) {
            case UPLOADING, STARTED, PAUSED, CANCELLED -> new Next(State.CANCELLED, false);
            case FINISHED -> throw refused(state);
          };
      case REOPEN ->
          new Next(state == State.FINISHED ? State.STARTED : state, campaign.accepting());
    };
  }

  private static Failure refused(State state) {
    return Failure.conflict(
        "campaign.status",
        switch (state) {
          case UPLOADING -> "the campaign has not been started";
          case STARTED -> "the campaign is running";
          case PAUSED -> "the campaign is paused";
          case CANCELLED -> "the campaign is cancelled";
          case FINISHED -> "the campaign is finished";
        });
  }
}
