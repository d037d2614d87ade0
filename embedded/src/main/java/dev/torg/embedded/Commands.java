package dev.torg.embedded;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Runs programs to their end.
final class Commands {
  private Commands() {}

  /// Returns the program's output; fails with that output unless the program exits with 0.
  static String run(List<String> command) throws IOException {
    return finish(command, builder(command).redirectInput(new File("/dev/null")).start());
  }

  /// The same with input for the program. The input must be short, because no output is read
  /// meanwhile.
  static String run(List<String> command, String input) throws IOException {
    Process process = builder(command).start();
    try (OutputStream stdin = process.getOutputStream()) {
      stdin.write(input.getBytes(StandardCharsets.UTF_8));
    }
    return finish(command, process);
  }

  private static ProcessBuilder builder(List<String> command) {
    return new ProcessBuilder(command).redirectErrorStream(true);
  }

  private static String finish(List<String> command, Process process) throws IOException {
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (exitCode(process) != 0) {
      throw new IOException(String.join(" ", command) + " failed: " + output.strip());
    }
    return output;
  }

  private static int exitCode(Process process) throws IOException {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
