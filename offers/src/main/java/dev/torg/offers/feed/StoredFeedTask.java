package dev.torg.offers.feed;

import dev.torg.api.v1.FeedTask;
import dev.torg.platform.Home;
import java.time.Instant;

/// A task of a seller's feed.
///
/// @param removing all items have come, and what they did not name is being removed
/// @param readFailure what of it could not be read to its end
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

  /// Whether an upload was not read to its end. What its unread part would have named is unknown, so
  /// nothing may be removed.
  enum ReadFailure {
    NONE(0),
    /// The whole feed: another upload of all makes up for it.
    WHOLE(1),
    /// One of several parts: whether the others make up for it is unknown.
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

  /// Tasks live with their seller.
  public record Key(String seller, long taskId) {
    public Home home() {
      return Home.of(seller);
    }
  }

  public long taskId() {
    return key.taskId();
  }
}
