package dev.torg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The `./torg` script on a small tree, with stand-ins for Maven and Java: the build copies one source file
/// into the program, and the program prints it when it is called.
class ScriptTest {
  private static final String MAVEN =
      """
      #!/usr/bin/env bash
      for word in "$@"; do
        case "$word" in -Dtorg.app=*) app="${word#-Dtorg.app=}" ;; esac
      done
      echo "begin $*" >>log
      if [ -x during ]; then ./during; fi
      if [ -n "${app:-}" ]; then mkdir -p "$app/lib"; cp cli/src/main/source "$app/lib/program"; fi
      echo end >>log
      """;
  private static final String JAVA =
      """
      #!/usr/bin/env bash
      case "$*" in *-XshowSettings*) echo '    java.specification.version = 25'; exit ;; esac
      while [ "$1" != -cp ]; do shift; done
      cat "${2%/\\*}/program"
      while read -r; do cat "${2%/\\*}/program" || echo gone; done
      """;

  @TempDir Path home;

  @BeforeEach
  void tree() throws IOException {
    Files.copy(Path.of("..", "torg"), home.resolve("torg"), StandardCopyOption.COPY_ATTRIBUTES);
    program("bin/mvn", MAVEN);
    program("bin/chromium", "");
    program("jdk/bin/java", JAVA);
    program("jdk/bin/javac", "");
    source("one");
  }

  @Test
  void up_sourcesUnchanged_buildsOnce() throws Exception {
    assertThat(output("status")).isEqualTo("one");
    assertThat(output("status")).isEqualTo("one");
    assertThat(builds()).isEqualTo(1);
  }

  @Test
  void up_sourcesChangedUnderARunningOne_leavesItsProgramInPlace() throws Exception {
    Process running = torg("up");
    BufferedReader lines = running.inputReader();
    assertThat(lines.readLine()).isEqualTo("one");
    source("two");
    assertThat(output("status")).isEqualTo("two");
    terminate(running);
    assertThat(lines.readLine()).isEqualTo("one");
    running.outputWriter().close();
    assertThat(running.waitFor(10, TimeUnit.SECONDS)).isTrue();

    source("three");
    assertThat(output("status")).isEqualTo("three");
    assertThat(retained()).hasSize(1);
  }

  @Test
  void up_sourceEditedDuringTheBuild_runsTheEditedOne() throws Exception {
    program("during", "#!/bin/sh\necho edited >cli/src/main/source\n");
    assertThat(output("status")).isEqualTo("edited");
    assertThat(builds()).isEqualTo(2);
    assertThat(output("status")).isEqualTo("edited");
    assertThat(builds()).isEqualTo(2);
  }

  @Test
  void up_sourceDeleted_buildsAgain() throws Exception {
    Files.writeString(home.resolve("cli/src/main/other"), "more");
    output("status");
    Files.delete(home.resolve("cli/src/main/other"));
    output("status");
    assertThat(builds()).isEqualTo(2);
  }

  @Test
  void up_whileTestsRun_buildsAfterThem() throws Exception {
    program("during", "#!/bin/sh\nuntil [ -e go ]; do sleep 0.05; done\n");
    Process tests = torg("test");
    await(() -> builds() == 1);
    Process up = torg("status");
    await(() -> up.errorReader().readLine().contains("waiting"));
    Files.createFile(home.resolve("go"));
    assertThat(up.inputReader().readLine()).isEqualTo("one");
    up.destroy();
    assertThat(tests.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(Files.readAllLines(home.resolve("log")).stream().map(line -> line.split(" ")[0]))
        .containsExactly("begin", "end", "begin", "end");
  }

  private interface Condition {
    boolean holds() throws IOException;
  }

  private static void await(Condition condition) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.holds()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  private void program(String name, String text) throws IOException {
    Path file = home.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private void source(String text) throws IOException {
    Path file = home.resolve("cli/src/main/source");
    Files.createDirectories(file.getParent());
    Files.writeString(file, text + "\n");
  }

  private Process torg(String... arguments) throws IOException {
    ProcessBuilder process = new ProcessBuilder(home.resolve("torg").toString());
    process.command().addAll(List.of(arguments));
    process.environment().put("JAVA_HOME", home.resolve("jdk").toString());
    process.environment().merge("PATH", home.resolve("bin") + ":", (path, bin) -> bin + path);
    return process.start();
  }

  private String output(String command) throws Exception {
    Process process = torg(command);
    process.outputWriter().close();
    String text = process.inputReader().readAllAsString().strip();
    assertThat(process.waitFor()).as(process.errorReader().readAllAsString()).isZero();
    return text;
  }

  private static void terminate(Process running) throws IOException {
    Writer input = running.outputWriter();
    input.write("\n");
    input.flush();
  }

  private long builds() throws IOException {
    Path log = home.resolve("log");
    if (Files.notExists(log)) {
      return 0;
    }
    return Files.readAllLines(log).stream().filter(line -> line.startsWith("begin")).count();
  }

  private List<Path> retained() throws IOException {
    try (Stream<Path> folders = Files.list(home.resolve("target/app"))) {
      return folders.toList();
    }
  }
}
