package dev.torg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// Measures a server under attack, so it runs alone.
@Isolated("measures latencies")
class VerifyAbuseIT {
  @TempDir static Path directory;

  @Test
  void verifyAbuse_quick_findsNoViolation() throws Exception {
    JsonNode report = ReportProcess.verify("abuse", directory);
    assertThat(report.path("results").size()).isPositive();
  }
}
