package dev.torg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Processes are killed under load. The class mostly waits, and runs concurrently with others.
@Execution(ExecutionMode.CONCURRENT)
class VerifyCrashIT {
  @TempDir static Path directory;

  @Test
  void verifyCrash_quick_findsNoViolation() throws Exception {
    JsonNode report = ReportProcess.verify("crash", directory);
    assertThat(report.path("results").path("acknowledgedWrites").asLong()).isPositive();
  }
}
