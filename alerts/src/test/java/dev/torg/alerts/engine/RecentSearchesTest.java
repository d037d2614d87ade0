package dev.torg.alerts.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.matching.Query;
import dev.torg.matching.SearchId;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecentSearchesTest {
  private static final Instant NOON = Instant.parse("2026-05-04T12:00:00Z");
  private static final SearchId ONE = Query.builder().category("cars").build().searchId();
  private static final SearchId OTHER = Query.builder().category("jobs").build().searchId();

  private Instant now = NOON;
  private final RecentSearches recentSearches = new RecentSearches(() -> now);

  private static Instant minutes(long minutes) {
    return NOON.plus(Duration.ofMinutes(minutes));
  }

  @ParameterizedTest
  @CsvSource({"0, true", "-29, true", "-30, false", "-31, false", "1, true"})
  void add_announcedInTheLastHalfHour_isRecent(long minutes, boolean expected) {
    recentSearches.add(ONE, minutes(minutes));
    assertThat(recentSearches.contains(ONE)).isEqualTo(expected);
    assertThat(recentSearches.oldest()).isEqualTo(minutes(-30));
  }

  @Test
  void contains_neverAnnounced_isFalse() {
    assertThat(recentSearches.contains(ONE)).isFalse();
  }

  /// Those that grew old are forgotten with the next one that is added.
  @Test
  void add_later_forgetsTheOld() {
    recentSearches.add(ONE, NOON);
    now = minutes(29);
    recentSearches.add(OTHER, now);
    assertThat(recentSearches.contains(ONE)).isTrue();
    now = minutes(30);
    recentSearches.add(OTHER, now);
    assertThat(recentSearches.contains(ONE)).isFalse();
    assertThat(recentSearches.contains(OTHER)).isTrue();
  }

  @Test
  void add_announcedAgain_isRecentByTheLatest() {
    recentSearches.add(ONE, NOON);
    recentSearches.add(ONE, minutes(20));
    now = minutes(40);
    recentSearches.add(OTHER, now);
    assertThat(recentSearches.contains(ONE)).isTrue();
    now = minutes(50);
    recentSearches.add(OTHER, now);
    assertThat(recentSearches.contains(ONE)).isFalse();
  }

  /// Offers were last handled three hours ago; searches announced before that are known to the process that handled them.
  @Test
  void start_afterALongTime_reachesBackToTheLastOffer() {
    recentSearches.start(minutes(-180));
    assertThat(recentSearches.oldest()).isEqualTo(minutes(-210));
    recentSearches.add(ONE, minutes(-209));
    assertThat(recentSearches.contains(ONE)).isTrue();
    now = minutes(30);
    assertThat(recentSearches.oldest()).isEqualTo(minutes(0));
    recentSearches.add(OTHER, now);
    assertThat(recentSearches.contains(ONE)).isFalse();
  }

  @Test
  void start_lastOfferInTheFuture_countsFromNow() {
    recentSearches.start(minutes(10));
    assertThat(recentSearches.oldest()).isEqualTo(minutes(-30));
  }
}
