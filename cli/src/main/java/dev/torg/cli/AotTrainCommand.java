package dev.torg.cli;

import dev.torg.bench.process.ApiClient;
import dev.torg.bench.process.TemporaryData;
import dev.torg.platform.Failure;
import dev.torg.server.config.Configuration;
import dev.torg.server.config.Setting;
import dev.torg.server.config.SettingValues;
import dev.torg.server.run.Torg;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// The JVM's AOT training run: starts, serves a workload and ends, on a temporary directory. The `./torg`
/// script has the JVM record it once a build: the classes that a start loads, and the profiles collected while
/// it serves, are then available to every later start.
@Command(
    name = "rehearse",
    hidden = true,
    description = "Starts and ends once, for the JVM to record what a start needs.")
final class AotTrainCommand implements Callable<Integer> {
  private static final Duration READY_TIMEOUT = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofMillis(50);

  @Option(names = "--seconds", description = "how long it serves (default ${DEFAULT-VALUE})")
  private int seconds = 20;

  @Override
  public Integer call() throws IOException, InterruptedException, ExecutionException {
    try (TemporaryData data = TemporaryData.create("aot-training");
        Torg torg = Torg.start(configuration(data), progress -> {});
        ApiClient anonymous = new ApiClient(torg.running().address())) {
      awaitReady(anonymous);
      new AotTrainingWorkload(anonymous).play(Duration.ofSeconds(seconds));
    }
    return 0;
  }

  private static Configuration configuration(TemporaryData data) {
    Map<Setting, String> settings =
        Map.of(
            Setting.DATA, data.path().toString(),
            Setting.PORT, "0",
            Setting.RATE_LIMIT, "1000000",
            Setting.LOG_LEVEL, "error");
    return Configuration.of(SettingValues.read(settings, Map.of(), Optional.empty()));
  }

  private static void awaitReady(ApiClient client) {
    long deadline = System.nanoTime() + READY_TIMEOUT.toNanos();
    while (true) {
      try {
        client.get("/health/ready");
        return;
      } catch (Failure e) {
        if (System.nanoTime() - deadline > 0) {
          throw e;
        }
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }
}
