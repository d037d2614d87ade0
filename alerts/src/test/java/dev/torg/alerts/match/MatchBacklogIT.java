package dev.torg.alerts.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.torg.alerts.AlertsFixture;
import dev.torg.testkit.ChildProcess;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("skip-fake-citus")
class MatchBacklogIT {
  @RegisterExtension static final TestDatabase TABLES = AlertsFixture.tables();

  /// 2.5 million matches, of which a process with little memory holds only some at a time.
  @Test
  void handle_backlogOfOffersThatMatchManySearches_fitsIntoASmallHeap() {
    assertMatches("2500", "1000", "2500", "0");
  }

  /// One offer that matches more searches than fit in memory together with their audiences.
  @Test
  void handle_offerThatMatchesVeryManySearches_fitsIntoASmallHeap() {
    assertMatches("3", "33000", "3", "0");
  }

  /// Two million reasons of a thousand recipients for one offer.
  @Test
  void handle_recipientsWithVeryManyReasons_fitIntoASmallHeap() {
    assertMatches("1", "2000", "1", "1000");
  }

  /// As many reasons of a thousand recipients for the offers of a storm.
  @Test
  void handle_stormForRecipientsWithVeryManyReasons_fitsIntoASmallHeap() {
    assertMatches("25", "900", "1", "1000");
  }

  /// A matcher with a heap of 80 MB handles these offers, searches, sellers and subscribers of each search.
  private static void assertMatches(
      String offers, String searches, String sellers, String subscribers) {
    try (ChildProcess matcher =
        ChildProcess.start(
            80, BacklogMatcher.class, TABLES.url(), offers, searches, sellers, subscribers)) {
      await().atMost(Duration.ofMinutes(3)).until(() -> !matcher.isAlive());
      assertThat(matcher.lines()).endsWith("matched");
    }
  }
}
