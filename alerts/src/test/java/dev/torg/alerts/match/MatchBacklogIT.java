package dev.torg.alerts.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.torg.alerts.AlertsFixture;
import dev.torg.testkit.ChildProcess;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class MatchBacklogIT {
  @RegisterExtension static final TestDatabase TABLES = AlertsFixture.tables();

  /// 2.5 million matches, of which a process with little memory holds only some at a time.
  @Test
  void handle_backlogOfOffersThatMatchManySearches_fitsIntoASmallHeap() {
    try (ChildProcess matcher =
        ChildProcess.start(80, BacklogMatcher.class, TABLES.url(), "2500", "1000")) {
      await().atMost(Duration.ofMinutes(3)).until(() -> !matcher.isAlive());
      assertThat(matcher.lines()).endsWith("matched");
    }
  }

  /// One offer that matches more searches than fit in memory together with their audiences.
  @Test
  void handle_offerThatMatchesVeryManySearches_fitsIntoASmallHeap() {
    try (ChildProcess matcher =
        ChildProcess.start(80, BacklogMatcher.class, TABLES.url(), "3", "33000")) {
      await().atMost(Duration.ofMinutes(3)).until(() -> !matcher.isAlive());
      assertThat(matcher.lines()).endsWith("matched");
    }
  }
}
