package dev.torg.server.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {
  @TempDir Path path;

  @Test
  void take_heldByAnother_saysWhoHoldsIt() {
    try (DataDirectory held = DataDirectory.take(path)) {
      long pid = ProcessHandle.current().pid();
      new RunningTorg(pid, "http://127.0.0.1:8080", "db", "kafka", Instant.EPOCH)
          .write(held.path());
      assertThatThrownBy(() -> DataDirectory.take(path))
          .hasMessageContaining("process " + pid)
          .hasMessageContaining(":8080");
    }
  }

  @Test
  void take_afterClose_isFreeAndNobodyRuns() {
    DataDirectory.take(path).close();
    DataDirectory.take(path).close();
    assertThat(RunningTorg.read(path)).isEmpty();
  }

  @Test
  void read_noteOfADeadProcess_isNobody() {
    new RunningTorg(Integer.MAX_VALUE, "http://127.0.0.1:1", "db", "kafka", Instant.EPOCH)
        .write(path);
    assertThat(RunningTorg.read(path)).isEmpty();
  }
}
