package dev.torg.alerts.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.AlertsFixture;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class AlertDedupPartitionsJobIT {
  private static final Duration YEAR = Duration.ofDays(366);

  @RegisterExtension static final TestDatabase TABLES = AlertsFixture.tables();

  @Test
  void ensure_severalProcessesAtOnce_createsEachPartitionOnce() {
    try (AlertsFixture fixture = new AlertsFixture(TABLES)) {
      List<String> before = partitions(fixture);
      Instant later = fixture.clock.instant().plus(YEAR);
      IntStream.range(0, 4)
          .parallel()
          .forEach(_ -> new AlertDedupPartitionsJob(fixture.database).ensure(later));
      assertThat(before).hasSize(8);
      assertThat(partitions(fixture)).hasSize(16).containsAll(before);
    }
  }

  private static List<String> partitions(AlertsFixture fixture) {
    return fixture.database.read(
        tx ->
            tx.sql(
                    "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'told'::regclass")
                .list(row -> row.textAt(1)));
  }
}
