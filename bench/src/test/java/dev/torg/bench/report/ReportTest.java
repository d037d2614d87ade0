package dev.torg.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ReportTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream steps = new ByteArrayOutputStream();

  @Test
  void print_json_isOneObjectWithTheDocumentedFields() throws Exception {
    options("--json").finishBench(report(true));

    JsonNode json = new ObjectMapper().readTree(out.toString(UTF_8));
    assertThat(json.fieldNames())
        .toIterable()
        .containsExactly(
            "name", "date", "machine", "params", "results", "baselines", "ratios", "targets");
    assertThat(json.at("/results/mixes/narrow/offersPerSecond").asDouble()).isEqualTo(8123.5);
    assertThat(json.at("/targets/0").fieldNames())
        .toIterable()
        .containsExactly("name", "target", "value", "met");
  }

  @Test
  void progress_json_staysOffStandardOutput() {
    options("--json").progress("at %d", 1);

    assertThat(out.size()).isZero();
    assertThat(steps.toString(UTF_8)).isEqualTo("at 1" + System.lineSeparator());
  }

  @Test
  void print_plain_isATableWithTargets() {
    options().finishBench(report(false));

    assertThat(out.toString(UTF_8)).contains("mixes.narrow.offersPerSecond", "8123.5", "NOT MET");
  }

  @Test
  void finish_missedTarget_failsVerifyOnly() {
    assertThat(options().finishVerify(report(false))).isEqualTo(1);
    assertThat(options().finishVerify(report(true))).isZero();
    assertThat(options().finishBench(report(false))).isZero();
  }

  private ReportOptions options(String... arguments) {
    ReportOptions options = new ReportOptions();
    new CommandLine(
            CommandLine.Model.CommandSpec.create()
                .addMixin("r", CommandLine.Model.CommandSpec.forAnnotatedObject(options)))
        .parseArgs(arguments);
    return options.printTo(new PrintStream(out, true, UTF_8), new PrintStream(steps, true, UTF_8));
  }

  private static Report report(boolean fast) {
    return Report.of("sample", Instant.EPOCH)
        .param("searches", 1000)
        .result("mixes", Map.of("narrow", Map.of("offersPerSecond", 8123.5)))
        .atLeast("offers per second", 8000, fast ? 8123.5 : 10)
        .build();
  }
}
