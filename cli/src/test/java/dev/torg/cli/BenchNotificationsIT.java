package dev.torg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The benchmark in small: it ends, and its counts are exact. Its speed is not judged.
class BenchNotificationsIT {
  @TempDir static Path directory;

  @Test
  void benchNotifications_smallSizes_countsAreExact() throws Exception {
    JsonNode report =
        ReportProcess.run(
            "bench notifications --quick --seconds 1 --warm-seconds 0 --recipients 2000"
                + " --warm-recipients 500 --entries 200 --reads 20 --pushes 1000 --json",
            directory);
    assertThat(report.path("results").path("campaignEntries").asInt()).isEqualTo(2_000);
    assertThat(report.path("results").path("sendsPerSecond").asDouble()).isPositive();
    assertThat(report.path("results").path("pushesDelivered").asInt()).isEqualTo(1_000);
    assertThat(report.path("targets"))
        .filteredOn(target -> target.path("name").asText().endsWith("CountsAreExact"))
        .hasSize(3)
        .allSatisfy(target -> assertThat(target.path("met").asBoolean()).isTrue());
  }
}
