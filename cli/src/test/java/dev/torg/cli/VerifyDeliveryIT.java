package dev.torg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Delivering processes are killed. The class mostly waits, and runs concurrently with others.
@Execution(ExecutionMode.CONCURRENT)
class VerifyDeliveryIT {
  @TempDir static Path directory;

  @Test
  void verifyDelivery_quick_findsNoViolation() throws Exception {
    JsonNode report = ReportProcess.verify("delivery", directory);
    assertThat(report.path("results").path("kills").asInt()).isEqualTo(3);
    assertThat(report.path("results").path("pushesRefused").asLong()).isPositive();
  }
}
