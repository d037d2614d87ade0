package dev.torg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.torg.bench.process.ApiClient;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// A command of `torg` in a process of its own, whose standard output is a report.
final class ReportProcess {
  private static final long TIMEOUT_MINUTES = 10;

  private ReportProcess() {}

  /// The report of `torg verify … --quick`, of which all targets are met.
  static JsonNode verify(String name, Path directory) throws IOException, InterruptedException {
    JsonNode report = run("verify " + name + " --quick --json", directory);
    report.path("targets").forEach(target -> assertThat(target.path("met").asBoolean()).isTrue());
    return report;
  }

  /// The report of a command that succeeds.
  static JsonNode run(String command, Path directory) throws IOException, InterruptedException {
    Path out = directory.resolve("report.json");
    Path err = directory.resolve("progress.log");
    Process process =
        new ProcessBuilder(javaCommand(command))
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    try {
      assertThat(process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES))
          .as(command + " ended")
          .isTrue();
      assertThat(process.exitValue())
          .as(() -> withoutFrames(err) + System.lineSeparator() + withoutFrames(out))
          .isZero();
    } finally {
      process.destroyForcibly();
    }
    return ApiClient.parse(Files.readString(out));
  }

  /// With the JVM options of the tests, which the servers that it starts get, too.
  private static List<String> javaCommand(String command) {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.startsWith("-X") || option.startsWith("--"))
        .forEach(words::add);
    words.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    words.addAll(List.of(command.split(" ", -1)));
    return words;
  }

  /// The messages without the frames of stack traces.
  private static String withoutFrames(Path output) {
    try {
      return Files.readString(output)
          .lines()
          .filter(line -> !line.startsWith("\tat "))
          .collect(Collectors.joining(System.lineSeparator()));
    } catch (IOException e) {
      return e.toString();
    }
  }
}
