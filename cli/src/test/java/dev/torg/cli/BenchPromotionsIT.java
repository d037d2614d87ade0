package dev.torg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The benchmark in small: every part ends without a failure. Its speed is not judged.
class BenchPromotionsIT {
  @TempDir static Path directory;

  @Test
  void benchPromotions_smallSizes_measuresEverything() throws Exception {
    JsonNode results =
        ReportProcess.run(
                "bench promotions --quick --seconds 1 --warm-seconds 0 --payments 300 --expiries 2000"
                    + " --json",
                directory)
            .path("results");
    assertThat(results.path("failures").asInt()).isZero();
    assertThat(results.path("webhooksAppliedPerSecond").asDouble()).isPositive();
    assertThat(results.path("expiriesPerSecond").asDouble()).isPositive();
  }
}
