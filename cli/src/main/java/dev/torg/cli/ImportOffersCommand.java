package dev.torg.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.hash.Hashing;
import dev.torg.bench.process.ApiClient;
import dev.torg.platform.Backoff;
import dev.torg.platform.Failure;
import dev.torg.platform.Failure.Kind;
import dev.torg.platform.identity.Subject;
import dev.torg.server.config.Configuration;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Publishes a file of offers, one JSON object a line, through the API of a running Torg. A line's number and
/// content are its idempotency key, so an interrupted import can be run again within seven days. Requests refused for
/// overload are retried; an unreachable server ends the import. With `--silent` it imports a marketplace's existing
/// offers.
@Command(
    name = "offers",
    description =
        "Publishes the offers of a file, one JSON object a line. Can be run again after a stop.")
final class ImportOffersCommand implements Callable<Integer> {
  /// Lets the server form batches without queueing more than it accepts.
  private static final int IN_FLIGHT = 64;

  /// The maximum is two seconds: the rate limit counts by the second.
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(2));

  /// How long one line waits for a busy server.
  private static final Duration RETRY_TIMEOUT = Duration.ofMinutes(1);

  @CommandLine.Spec CommandLine.Model.CommandSpec spec;

  @Parameters(
      paramLabel = "FILE",
      description = "offer fields as in docs: {\"category\":…, \"title\":…}")
  private Path file = Path.of("");

  @Option(
      names = "--seller",
      paramLabel = "USER",
      defaultValue = "importer",
      description = "the seller of the offers (development login)")
  private String seller = "";

  @Mixin private ServerOptions server;

  @Option(
      names = "--silent",
      description =
          "import existing offers: times are kept (createdAt), no alerts are sent; needs --token of role service or admin")
  private boolean silent;

  private final AtomicLong published = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicReference<@Nullable RuntimeException> lost = new AtomicReference<>();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Configuration configuration = SettingOptions.configuration(spec.commandLine().getParseResult());
    if (silent && !server.hasToken()) {
      throw new CommandLine.ParameterException(
          spec.commandLine(),
          "--silent needs --token of role service: ./torg token --subject service:import --role service");
    }
    try (ApiClient anonymous = server.connect(configuration)) {
      publishAll(server.as(seller, anonymous));
    }
    spec.commandLine()
        .getOut()
        .printf("%d published, %d refused%n", published.get(), refused.get());
    RuntimeException end = lost.get();
    if (end != null) {
      throw end;
    }
    return refused.get() == 0 ? 0 : 1;
  }

  private void publishAll(ApiClient client) throws IOException, InterruptedException {
    Progress progress =
        new Progress(spec.commandLine().getErr(), InstantSource.system(), System.console() != null);
    Semaphore permits = new Semaphore(IN_FLIGHT);
    try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8);
        ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
      long number = 0;
      for (String line = lines.readLine();
          line != null && lost.get() == null;
          line = lines.readLine()) {
        long at = ++number;
        String text = line;
        if (!text.isBlank()) {
          permits.acquire();
          workers.execute(
              () -> {
                try {
                  publish(client, at, text);
                  progress.step();
                } catch (RuntimeException e) {
                  lost.compareAndSet(null, e);
                } finally {
                  permits.release();
                }
              });
        }
      }
    }
    progress.end();
  }

  private void publish(ApiClient client, long number, String line) {
    try {
      JsonNode offer = ApiClient.JSON.readTree(line);
      if (silent && offer instanceof ObjectNode fields && !fields.has("sellerId")) {
        fields.put("sellerId", Subject.ofUser(seller, "--seller"));
      }
      JsonNode body = ApiClient.JSON.createObjectNode().set("offer", offer);
      String key =
          Hashing.sha256().hashString(number + ":" + line, StandardCharsets.UTF_8).toString();
      String path = silent ? "/v1/offers:import" : "/v1/offers";
      withRetries(() -> client.send("POST", path, body, Map.of("Idempotency-Key", key)));
      published.incrementAndGet();
    } catch (Failure | JsonProcessingException e) {
      if (e instanceof Failure failure && failure.kind() == Kind.UNAVAILABLE) {
        throw failure;
      }
      refused.incrementAndGet();
      spec.commandLine().getErr().printf("line %d: %s%n", number, e.getMessage());
    }
  }

  /// Retries with a growing delay while the server is overloaded or unavailable.
  private void withRetries(Runnable request) {
    long deadline = System.nanoTime() + RETRY_TIMEOUT.toNanos();
    for (int attempt = 1; ; attempt++) {
      try {
        request.run();
        return;
      } catch (Failure e) {
        boolean busy = e.kind() == Kind.EXHAUSTED || e.kind() == Kind.UNAVAILABLE;
        if (!busy || lost.get() != null || System.nanoTime() - deadline > 0) {
          throw e;
        }
        LockSupport.parkNanos(BACKOFF.after(attempt).toNanos());
      }
    }
  }
}
