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
  private static final SearchId SEARCH = Query.builder().category("cars").build().searchId();
  private static final SearchId OTHER = Query.builder().category("jobs").build().searchId();

  private Instant now = NOON;
  private final RecentSearches recentSearches = new RecentSearches(() -> now);

  private static Instant minutes(long minutes) {
    return NOON.plus(Duration.ofMinutes(minutes));
  }

  @ParameterizedTest
  @CsvSource({"0, true", "-29, true", "-30, false", "-31, false", "1, true"})
  void add_announcedInTheLastHalfHour_isRecent(long minutes, boolean expected) {
    recentSearches.add(SEARCH, minutes(minutes));
    assertThat(recentSearches.contains(SEARCH)).isEqualTo(expected);
    assertThat(recentSearches.oldest()).isEqualTo(minutes(-30));
  }

  @Test
  void contains_neverAnnounced_isFalse() {
    assertThat(recentSearches.contains(SEARCH)).isFalse();
  }

  /// Searches that are no longer recent are dropped when the next one is added.
  @Test
  void add_later_dropsOldSearches() {
    recentSearches.add(SEARCH, NOON);
    now = minutes(29);
    recentSearches.add(OTHER, now);
    assertThat(recentSearches.contains(SEARCH)).isTrue();
    now = minutes(30);
    recentSearches.add(OTHER, now);
    assertThat(recentSearches.contains(SEARCH)).isFalse();
    assertThat(recentSearches.contains(OTHER)).isTrue();
  }

  @Test
  void add_announcedAgain_isRecentByTheLatest() {
    recentSearches.add(SEARCH, NOON);
    recentSearches.add(SEARCH, minutes(20));
    now = minutes(40);
    recentSearches.add(OTHER, now);
    assertThat(recentSearches.contains(SEARCH)).isTrue();
    now = minutes(50);
    recentSearches.add(OTHER, now);
    assertThat(recentSearches.contains(SEARCH)).isFalse();
  }

  /// Offers were last handled three hours ago; searches announced before that are known to the process that handled them.
  @Test
  void start_afterALongTime_reachesBackToTheLastOffer() {
    recentSearches.start(minutes(-180));
    assertThat(recentSearches.oldest()).isEqualTo(minutes(-210));
    recentSearches.add(SEARCH, minutes(-209));
    assertThat(recentSearches.contains(SEARCH)).isTrue();
    now = minutes(30);
    assertThat(recentSearches.oldest()).isEqualTo(minutes(0));
    recentSearches.add(OTHER, now);
    assertThat(recentSearches.contains(SEARCH)).isFalse();
  }

  @Test
  void start_lastOfferInTheFuture_countsFromNow() {
    recentSearches.start(minutes(10));
    assertThat(recentSearches.oldest()).isEqualTo(minutes(-30));
  }
}
