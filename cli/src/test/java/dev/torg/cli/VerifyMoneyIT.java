package dev.torg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Processes are killed during payments. The class mostly waits, and runs concurrently with others.
@Execution(ExecutionMode.CONCURRENT)
class VerifyMoneyIT {
  @TempDir static Path directory;

  @Test
  void verifyMoney_quick_findsNoViolation() throws Exception {
    JsonNode results = ReportProcess.verify("money", directory).path("results");
    assertThat(results.path("kills").asInt()).isPositive();
    assertThat(results.path("payments").has("PROMOTION APPLIED")).isTrue();
    assertThat(results.path("payments").has("PROMOTION REFUNDED")).isTrue();
    assertThat(results.path("payments").has("TOP_UP APPLIED")).isTrue();
  }
}
