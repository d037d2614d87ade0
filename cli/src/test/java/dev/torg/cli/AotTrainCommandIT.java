package dev.torg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/// A training run that fails costs every later start some seconds, and the script continues without it: so it
/// is tested.
class AotTrainCommandIT {
  @Test
  void run_againstTheServersOwnLimits_succeeds() {
    assertThat(new CommandLine(new AotTrainCommand()).execute("--seconds", "1")).isZero();
  }
}
