package dev.torg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.torg.bench.process.ApiClient;
import dev.torg.bench.process.TorgProcess;
import dev.torg.platform.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A Torg process whose parts die, or that is terminated during its start.
class DyingPartsIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(90);

  @TempDir Path directory;

  @Test
  void postgresKilled_torgContinues_andEndsWithACodeWhenItCannotRestart() throws Exception {
    Path data = directory.resolve("data");
    try (TorgProcess torg = TorgProcess.up(data, List.of());
        ApiClient anonymous = new ApiClient(torg.address())) {
      ApiClient seller = anonymous.loggedInAs("survivor");
      String retained = publish(seller);

      ProcessHandle killed = postmaster(data);
      killed.destroyForcibly();
      await()
          .atMost(TIMEOUT)
          .ignoreExceptions()
          .until(() -> postmaster(data).pid() != killed.pid());
      await().atMost(TIMEOUT).ignoreException(Failure.class).until(() -> publishes(seller));
      assertThat(anonymous.get("/v1/offers/" + retained).path("title").asText())
          .isEqualTo("A lamp");
      await().atMost(TIMEOUT).ignoreException(Failure.class).until(() -> isReady(anonymous));

      Files.delete(data.resolve("postgres/data/global/pg_control"));
      postmaster(data).destroyForcibly();
      assertThat(torg.awaitExit(TIMEOUT)).isEqualTo(1);
    }
    assertThat(Files.readString(directory.resolve("data.log"))).contains("PostgreSQL is lost");
  }

  @Test
  void endedWhileStarting_leavesNothingToRecover() throws Exception {
    Path data = directory.resolve("data");
    Process starting = TorgProcess.starting(data);
    await().atMost(TIMEOUT).until(() -> Files.exists(data.resolve("postgres/data/postmaster.pid")));
    starting.destroy();
    assertThat(starting.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(data.resolve("postgres/data/postmaster.pid")).doesNotExist();
    // Kafka marks a clean shutdown only if it had opened its logs.
    assertThat(Files.readString(directory.resolve("data.log"))).doesNotContain("did not end well");
    assertThat(data.resolve("running")).doesNotExist();
  }

  private static boolean publishes(ApiClient seller) {
    return !publish(seller).isEmpty();
  }

  private static String publish(ApiClient seller) {
    return seller.publish("A lamp");
  }

  private static boolean isReady(ApiClient anonymous) {
    return anonymous.get("/health/ready").path("status").asText().equals("UP");
  }

  private static ProcessHandle postmaster(Path data) throws IOException {
    String pid = Files.readAllLines(data.resolve("postgres/data/postmaster.pid")).getFirst();
    return ProcessHandle.of(Long.parseLong(pid.strip())).orElseThrow();
  }
}
