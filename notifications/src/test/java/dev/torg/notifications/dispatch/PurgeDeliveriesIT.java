package dev.torg.notifications.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.notifications.Channel;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.TestLeases;
import dev.torg.notifications.operation.PurgeDeliveriesJob;
import dev.torg.platform.Home;
import dev.torg.testkit.TestClock;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// How long attempts and the counts of limits are kept.
class PurgeDeliveriesIT {
  @RegisterExtension static final TestDatabase TABLES = DeliveryFixture.tables();

  private static final Duration ATTEMPT_RETENTION = Duration.ofDays(30);

  /// A week, and the differences of timezones.
  private static final Duration COUNT_RETENTION = Duration.ofDays(9);

  private DeliveryFixture fixture;
  private TestLeases leases;
  private String recipient;

  @BeforeEach
  void deliver() {
    fixture = new DeliveryFixture(TABLES);
    leases = new TestLeases(fixture.database, "test.purge");
    recipient = fixture.withEmail();
    try (DeliveryFixture.Process _ = fixture.start()) {
      fixture.write(recipient, "a", NotificationTopics.NEWS, Channel.EMAIL);
      fixture.awaitOutcome(recipient, "a", "DELIVERED");
    }
  }

  @AfterEach
  void close() {
    leases.close();
    fixture.close();
  }

  @Test
  void run_attempts_areKeptForThirtyDays() {
    purge(TestClock.START.plus(ATTEMPT_RETENTION));
    assertThat(rows("delivery_attempt")).isEqualTo(1);
    purge(TestClock.START.plus(ATTEMPT_RETENTION).plusSeconds(1));
    assertThat(rows("delivery_attempt")).isZero();
  }

  @Test
  void run_counts_areKeptAsLongAsAPeriodMayContainThem() {
    int counts = rows("delivery_count");
    assertThat(counts).isPositive();
    purge(TestClock.START.plus(COUNT_RETENTION));
    assertThat(rows("delivery_count")).isEqualTo(counts);
    purge(TestClock.START.plus(COUNT_RETENTION).plusSeconds(1));
    assertThat(rows("delivery_count")).isZero();
  }

  private void purge(Instant now) {
    boolean more = new PurgeDeliveriesJob(fixture.database).run(leases.of(Home.of(recipient)), now);
    assertThat(more).isFalse();
  }

  private int rows(String table) {
    return fixture.database.read(
        tx ->
            tx.sql("SELECT count(*) FROM " + table + " WHERE home = ? AND owner = ?")
                .set(Home.of(recipient))
                .set(recipient)
                .first(row -> row.intAt(1))
                .orElseThrow());
  }
}
