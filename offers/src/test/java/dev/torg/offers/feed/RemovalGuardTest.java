package dev.torg.offers.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.api.v1.FeedTask.Status;
import dev.torg.offers.feed.FeedItemStore.RemovalStats;
import dev.torg.offers.feed.StoredFeedTask.ReadFailure;
import dev.torg.platform.Failure;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RemovalGuardTest {
  private static final RemovalGuard HALF = new RemovalGuard(50);
  private static final RemovalStats SMALL_REMOVAL = new RemovalStats(1, 9, 10);

  /// Offers that the task does not name, all offers, those created by the task, and the percentage of the
  /// former offers that may be removed.
  @ParameterizedTest
  @CsvSource({
    "0,   60,  0,   50,  true",
    "30,  60,  0,   50,  true",
    "31,  60,  0,   50,  false",
    "19,  20,  1,   50,  true",
    "20,  21,  1,   50,  false",
    "20,  40,  0,   50,  true",
    // Many new items do not hide that most of the old ones are removed.
    "30,  400, 360, 50,  false",
    "20,  400, 360, 50,  true",
    "100, 101, 0,   100, true",
    "100, 101, 1,   100, true",
    "20,  100, 0,   0,   false",
    "19,  100, 0,   0,   true",
    "20,  100, 100, 100, false",
  })
  void checkShare_largePart_isStopped(
      long older, long all, int created, int percent, boolean allowed) {
    RemovalStats removalStats = new RemovalStats(older, all - older, all);
    assertThat(new RemovalGuard(percent).checkShare(removalStats, created).isEmpty())
        .isEqualTo(allowed);
  }

  @Test
  void checkShare_stopped_statesNumberOfRemovals() {
    assertThat(HALF.checkShare(new RemovalStats(31, 31, 62), 2))
        .hasValueSatisfying(
            reason -> assertThat(reason).contains("31 of 60 offers").contains("more than 50 %"));
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "3, 3", "19, 19"})
  void checkShare_emptyFeed_isStopped(long older, long all) {
    assertThat(HALF.checkShare(new RemovalStats(older, 0, all), 0))
        .hasValueSatisfying(
            reason -> assertThat(reason).contains("no items").contains(older + " offers"));
  }

  @Test
  void check_soundTask_mayRemove() {
    assertThat(
            HALF.check(task(Status.RUNNING, ReadFailure.NONE, 0), Optional.empty(), SMALL_REMOVAL))
        .isEmpty();
  }

  @Test
  void check_createdOffers_doNotCountAsExisting() {
    RemovalStats removalStats = new RemovalStats(30, 370, 400);
    assertThat(
            HALF.check(task(Status.RUNNING, ReadFailure.NONE, 0), Optional.empty(), removalStats))
        .isEmpty();
    assertThat(
            HALF.check(task(Status.RUNNING, ReadFailure.NONE, 360), Optional.empty(), removalStats))
        .isPresent();
  }

  @ParameterizedTest
  @EnumSource(
      value = ReadFailure.class,
      names = {"WHOLE", "PART"})
  void check_unreadablePart_isStopped(ReadFailure readFailure) {
    assertThat(HALF.check(task(Status.RUNNING, readFailure, 0), Optional.empty(), SMALL_REMOVAL))
        .hasValueSatisfying(
            reason -> assertThat(reason).contains("could not be read").contains("1 offers"));
  }

  @Test
  void check_interruptedUpload_isStoppedAndNamed() {
    assertThat(
            HALF.check(task(Status.RUNNING, ReadFailure.NONE, 0), Optional.of("i0"), SMALL_REMOVAL))
        .hasValueSatisfying(
            reason -> assertThat(reason).contains("'i0'").contains("1 offers would be removed"));
  }

  @Test
  void check_failedTask_isConflict() {
    for (ReadFailure readFailure : ReadFailure.values()) {
      assertThatThrownBy(
              () ->
                  HALF.check(task(Status.FAILED, readFailure, 0), Optional.empty(), SMALL_REMOVAL))
          .isInstanceOfSatisfying(
              Failure.class, failure -> assertThat(failure.code()).isEqualTo("feed.failed"));
    }
  }

  @Test
  void readFailure_roundTripsByNumber() {
    for (ReadFailure readFailure : ReadFailure.values()) {
      assertThat(ReadFailure.ofNumber(readFailure.number())).isEqualTo(readFailure);
    }
    assertThat(ReadFailure.of(true)).isEqualTo(ReadFailure.WHOLE);
    assertThat(ReadFailure.of(false)).isEqualTo(ReadFailure.PART);
  }

  private static StoredFeedTask task(Status status, ReadFailure readFailure, int created) {
    FeedCounts counts = new FeedCounts(created, 0, 0, 0, 0, 0, 0);
    return new StoredFeedTask(
        new StoredFeedTask.Key("user:owner", 1),
        status,
        false,
        counts,
        0,
        "",
        Instant.EPOCH,
        Instant.EPOCH,
        readFailure);
  }
}
