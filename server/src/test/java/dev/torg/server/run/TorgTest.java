package dev.torg.server.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.platform.Failure;
import dev.torg.server.config.Configuration;
import dev.torg.server.config.Setting;
import dev.torg.server.config.SettingValues;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TorgTest {
  @TempDir Path data;

  @Test
  void start_portInUse_reportsItBeforeAnythingStarts() throws Exception {
    List<String> progress = new ArrayList<>();
    try (ServerSocket occupied = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = String.valueOf(occupied.getLocalPort());
      Configuration configuration =
          Configuration.of(
              SettingValues.read(
                  Map.of(Setting.DATA, data.toString(), Setting.PORT, port),
                  Map.of(),
                  Optional.empty()));
      assertThatThrownBy(() -> Torg.start(configuration, progress::add))
          .isInstanceOf(Failure.class)
          .hasMessageContaining("cannot listen on")
          .hasMessageContaining(port);
    }
    assertThat(progress).isEmpty();
    assertThat(Files.exists(data.resolve("postgres"))).isFalse();
    assertThat(Files.exists(data.resolve("kafka"))).isFalse();
    DataDirectory.acquire(data).close();
  }
}
