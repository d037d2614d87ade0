package dev.torg.cli;

import dev.torg.server.config.Configuration;
import dev.torg.server.run.RunningInstance;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// Prints whether a Torg runs on the data directory, its address, and whether it is ready. Exits 1 when none
/// runs or it is not ready.
@Command(
    name = "status",
    description =
        "Prints whether Torg runs on the data directory, its address, and whether it is ready.")
final class StatusCommand implements Callable<Integer> {
  @CommandLine.Spec CommandLine.Model.CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    Configuration configuration = SettingOptions.configuration(spec.commandLine().getParseResult());
    PrintWriter out = spec.commandLine().getOut();
    Optional<RunningInstance> running = RunningInstance.read(configuration.data());
    if (running.isEmpty()) {
      out.println("no Torg runs on " + configuration.data());
      return 1;
    }
    RunningInstance torg = running.get();
    String health = health(torg.address());
    out.printf("process     %d, up since %s%n", torg.pid(), torg.since());
    out.printf("address     %s%n", torg.address());
    out.printf("PostgreSQL  %s%n", torg.describedDatabase());
    out.printf("Kafka       %s%n", torg.kafka());
    out.printf("health      %s%n", health);
    return health.startsWith("ready") ? 0 : 1;
  }

  private static String health(String address) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address + "/health/ready"))
            .timeout(Duration.ofSeconds(5))
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
      return (response.statusCode() == 200 ? "ready " : "not ready ") + response.body().strip();
    } catch (IOException e) {
      return "does not respond: " + e.getMessage();
    }
  }
}
