package dev.torg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.bench.process.TorgProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// Runs the commands of README.md as a reader does: all `sh` blocks in order, in one shell, against a
/// running server. Lines that call `./torg` start a program or the test suite; of these only the
/// arguments are checked.
class ReadmeCommandsIT {
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh\\R(.*?)^```$");
  private static final String PROGRAM = "./torg ";
  private static final String README_ADDRESS = "localhost:8080";

  /// Printed between two blocks, so that each block's output can be examined.
  private static final String END_OF_BLOCK = "--- end of block ---";

  /// A response with an error status fails the script, although the reader's `curl` shows it.
  private static final String PREAMBLE =
      """
      set -euo pipefail
      curl() { command curl --fail-with-body "$@"; }
      """;

  private static final long MAX_SECONDS = 240;

  @TempDir static Path directory;

  private static TorgProcess torg;
  private static List<String> blocks;
  private static Run run;

  private record Run(int exit, List<String> outputs, String errors) {}

  @BeforeAll
  static void runAllBlocks() throws Exception {
    blocks = blocks(Files.readString(Path.of("..", "README.md")));
    torg = TorgProcess.up(directory.resolve("data"), List.of());
    run = run(blocks.stream().filter(block -> !isProgram(block)).toList());
  }

  @AfterAll
  static void down() {
    if (torg != null) {
      torg.close();
    }
  }

  private static List<String> blocks(String readme) {
    return BLOCK.matcher(readme).results().map(block -> block.group(1)).toList();
  }

  private static boolean isProgram(String block) {
    return block.startsWith(PROGRAM);
  }

  private static Run run(List<String> scripts) throws IOException, InterruptedException {
    Path script = directory.resolve("readme.sh");
    Path out = directory.resolve("readme.out");
    Path err = directory.resolve("readme.err");
    Files.writeString(script, script(scripts));
    Process bash =
        new ProcessBuilder("bash", script.toString())
            .directory(directory.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    if (!bash.waitFor(MAX_SECONDS, TimeUnit.SECONDS)) {
      bash.descendants().forEach(ProcessHandle::destroyForcibly);
      bash.destroyForcibly().waitFor();
    }
    return new Run(bash.exitValue(), outputs(Files.readString(out)), Files.readString(err));
  }

  private static String script(List<String> scripts) {
    StringBuilder script = new StringBuilder(PREAMBLE);
    for (String block : scripts) {
      script.append(block.replace(README_ADDRESS, torg.address().replace("http://", "")));
      script.append("echo '\n").append(END_OF_BLOCK).append("'\n");
    }
    return script.toString();
  }

  private static List<String> outputs(String out) {
    return List.of(out.split(Pattern.quote(END_OF_BLOCK), -1));
  }

  @Test
  void blocks_runInOrder_allSucceed() {
    assertThat(run.exit()).as("%s%n%s", run.outputs(), run.errors()).isZero();
    assertThat(run.outputs()).hasSize(4);
    assertThat(run.outputs().getLast()).isBlank();
  }

  @Test
  void savedSearch_matchingOffer_appearsInTheBuyersStream() {
    assertThat(output(0))
        .containsPattern("\"name\": *\"Golfs\"")
        .containsPattern("event: *notification\\R.*VW Golf");
  }

  @Test
  void feed_oneGoodAndOneBadItem_isReported() {
    assertThat(output(1))
        .containsPattern("\"status\": *\"FINISHED\"")
        .containsPattern("\"failed\": *1")
        .contains("title");
  }

  @Test
  void photo_afterUpload_becomesReady() {
    assertThat(output(2)).contains("PENDING").contains("READY").contains("thumb");
  }

  private static String output(int block) {
    assertThat(run.outputs()).as(run.errors()).hasSizeGreaterThan(block);
    return run.outputs().get(block);
  }

  @TestFactory
  Stream<DynamicTest> programLine_parsesAsACommandOfTorg() {
    List<String> lines =
        blocks.stream().filter(ReadmeCommandsIT::isProgram).flatMap(String::lines).toList();
    assertThat(lines).isNotEmpty();
    return lines.stream().map(line -> DynamicTest.dynamicTest(line, () -> requireCommand(line)));
  }

  private static void requireCommand(String line) {
    assertThat(line).startsWith(PROGRAM);
    Matcher comment = Pattern.compile(" *#.*$").matcher(line.substring(PROGRAM.length()));
    String[] arguments = comment.replaceFirst("").split(" +", -1);
    CommandLine.ParseResult parsed = Main.commandLine().parseArgs(arguments);
    assertThat(parsed.hasSubcommand() || parsed.isUsageHelpRequested()).as(line).isTrue();
  }
}
