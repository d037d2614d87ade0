package dev.torg.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.torg.bench.process.ApiClient;
import dev.torg.offers.FeedFormat;
import dev.torg.platform.Failure;
import dev.torg.platform.identity.Subject;
import dev.torg.server.config.Configuration;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Uploads a feed to a Torg and prints its progress. An interrupted upload is retried under the same number;
/// when only the response was lost, the command waits for the end of the task.
@Command(name = "feed", description = "Uploads a feed: NDJSON, CSV or YML, gzipped or not.")
final class ImportFeedCommand implements Callable<Integer> {
  private static final int ATTEMPTS = 3;
  private static final int SHOWN_ERRORS = 20;

  /// Before another attempt, and between two polls of a task.
  private static final Duration PAUSE = Duration.ofSeconds(2);

  @CommandLine.Spec CommandLine.Model.CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "the feed")
  private Path file = Path.of("");

  @Option(
      names = "--seller",
      paramLabel = "USER",
      defaultValue = "importer",
      description = "the feed's seller (development login, or with a service's token)")
  private String seller = "";

  @Option(
      names = "--task-id",
      paramLabel = "NUMBER",
      defaultValue = "0",
      description = "grows with each feed of a seller (default: the time in milliseconds)")
  private long taskId;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "",
      description = "ndjson, csv or yml (default: by the file's name)")
  private String format = "";

  @Option(names = "--part", description = "more follows: nothing is removed at the end")
  private boolean part;

  @Option(names = "--force", description = "remove even very many")
  private boolean force;

  @Mixin private ServerOptions server;

  @Override
  public Integer call() throws IOException {
    Configuration configuration = SettingOptions.configuration(spec.commandLine().getParseResult());
    String subject = Subject.ofUser(seller, "--seller");
    long task = taskId > 0 ? taskId : Instant.now().toEpochMilli();
    String query =
        "?taskId=%d&format=%s&complete=%s&force=%s"
            .formatted(task, format().name().toLowerCase(Locale.ROOT), !part, force);
    try (ApiClient anonymous = server.connect(configuration)) {
      ApiClient client = server.as(seller, anonymous);
      String path = "/v1/feeds/" + subject;
      String taskPath = path + "/tasks/" + task;
      return report(client, taskPath + "/errors", upload(client, path + query, taskPath));
    }
  }

  /// `offers.csv.gz` is CSV.
  private FeedFormat format() {
    if (!format.isEmpty()) {
      return FeedFormat.ofFile(format);
    }
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT).replaceFirst("\\.gz$", "");
    return FeedFormat.ofFile(
        switch (name.substring(name.lastIndexOf('.') + 1)) {
          case "jsonl", "json" -> "ndjson";
          case "xml" -> "yml";
          case String other -> other;
        });
  }

  private JsonNode upload(ApiClient client, String path, String taskPath) throws IOException {
    PrintWriter err = spec.commandLine().getErr();
    for (int attempt = 1; ; attempt++) {
      UploadProgress progress =
          new UploadProgress(
              err, InstantSource.system(), System.console() != null, Files.size(file));
      try {
        JsonNode task = client.upload(path, body(progress));
        progress.end();
        return task;
      } catch (UncheckedIOException | Failure e) {
        if (attempt > 1 && isAlreadyFinished(e)) {
          return ended(client, taskPath);
        }
        if (!isTransient(e) || attempt == ATTEMPTS) {
          throw e;
        }
        err.printf("%n%s; trying again%n", e.getMessage());
        pause();
      }
    }
  }

  private static boolean isTransient(RuntimeException e) {
    return !(e instanceof Failure failure) || failure.kind() == Failure.Kind.UNAVAILABLE;
  }

  /// The previous attempt had sent everything: the items missing in the feed are being removed, or were.
  private static boolean isAlreadyFinished(RuntimeException e) {
    return e instanceof Failure failure && failure.kind() == Failure.Kind.CONFLICT;
  }

  private static JsonNode ended(ApiClient client, String taskPath) {
    JsonNode task = client.get(taskPath);
    while (task.path("status").asText().equals("RUNNING")) {
      pause();
      task = client.get(taskPath);
    }
    return task;
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.unavailable("interrupted", "interrupted", e);
    }
  }

  private BodyPublisher body(UploadProgress progress) throws IOException {
    return BodyPublishers.fromPublisher(
        BodyPublishers.ofInputStream(() -> progress.watching(open())), Files.size(file));
  }

  private InputStream open() {
    try {
      return Files.newInputStream(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  private int report(ApiClient client, String errors, JsonNode task) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "task %s %s: %s%n",
        task.path("taskId").asText(), task.path("status").asText(), counts(task));
    if (!task.path("message").asText().isEmpty()) {
      out.println(task.path("message").asText());
    }
    int failed = task.path("failed").asInt();
    if (failed > 0) {
      client
          .get(errors + "?pageSize=" + SHOWN_ERRORS)
          .path("errors")
          .forEach(error -> report(spec.commandLine().getErr(), error));
    }
    boolean finished = task.path("status").asText().equals(part ? "RUNNING" : "FINISHED");
    return finished && failed == 0 ? 0 : 1;
  }

  private static String counts(JsonNode task) {
    return Stream.of(
            "created", "updated", "unchanged", "removed", "failed", "ignored", "duplicates")
        .map(name -> task.path(name).asInt() + " " + name)
        .collect(Collectors.joining(", "));
  }

  private static void report(PrintWriter err, JsonNode error) {
    err.printf(
        "line %d: %s %s: %s%n",
        error.path("line").asInt(),
        error.path("externalId").asText(),
        error.path("code").asText(),
        error.path("message").asText());
  }
}
