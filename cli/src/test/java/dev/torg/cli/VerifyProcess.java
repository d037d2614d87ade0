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

/// `torg verify … --quick` in a process of its own: the report is its standard output.
final class VerifyProcess {
  private static final long TIMEOUT_MINUTES = 10;

  private VerifyProcess() {}

  /// The report, of which all targets are met.
  static JsonNode quick(String name, Path directory) throws IOException, InterruptedException {
    Path out = directory.resolve("report.json");
    Path err = directory.resolve("progress.log");
    Process process =
        new ProcessBuilder(command(name))
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    try {
      assertThat(process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES)).as(name + " ended").isTrue();
      assertThat(process.exitValue())
          .as(() -> withoutFrames(err) + System.lineSeparator() + withoutFrames(out))
          .isZero();
    } finally {
      process.destroyForcibly();
    }
    JsonNode report = ApiClient.parse(Files.readString(out));
    report.path("targets").forEach(target -> assertThat(target.path("met").asBoolean()).isTrue());
    return report;
  }

  /// With the JVM options of the tests, which the servers that it starts get, too.
  private static List<String> command(String name) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.startsWith("-X") || option.startsWith("--"))
        .forEach(command::add);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of("verify", name, "--quick", "--json"));
    return command;
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
