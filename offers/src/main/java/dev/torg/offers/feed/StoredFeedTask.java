package dev.torg.offers.feed;

import dev.torg.api.v1.FeedTask;
import dev.torg.platform.Home;
import java.time.Instant;

/// A task of a seller's feed.
///
/// @param removing whether all items have arrived and the offers they did not name are being removed
/// @param readFailure which upload was not read to its end
public record StoredFeedTask(
    Key key,
    FeedTask.Status status,
    boolean removing,
    FeedCounts counts,
    int photosFailed,
    String message,
    Instant startedAt,
    Instant updatedAt,
    ReadFailure readFailure) {

  /// Whether an upload was not read to its end. The items of its unread part are unknown, so nothing may be
  /// removed.
  enum ReadFailure {
    NONE(0),
    /// An upload of the whole feed. A further upload of the whole feed clears the failure.
    WHOLE(1),
    /// One of several parts. It is unknown whether the other parts contain the same items.
    PART(2);

    private final int number;

    ReadFailure(int number) {
      this.number = number;
    }

    int number() {
      return number;
    }

    static ReadFailure ofNumber(int number) {
      return switch (number) {
        case 0 -> NONE;
        case 1 -> WHOLE;
        default -> PART;
      };
    }

    static ReadFailure of(boolean complete) {
      return complete ? WHOLE : PART;
    }
  }

  /// A task is stored in its seller's home.
  public record Key(String seller, long taskId) {
    public Home home() {
      return Home.of(seller);
    }
  }

  public long taskId() {
    return key.taskId();
  }
}
