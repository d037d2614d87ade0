package dev.torg.embedded;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The command lines of PostgreSQL's programs.
///
/// PostgreSQL refuses to run as root. As root we run it in a user namespace of its own without any
/// mapping (`unshare -U`): there it is nobody, while its files stay root's.
final class PostgresCommands {
  private static final Integer ROOT = 0;

  private final Path binaries;
  private final List<String> prefix;

  private PostgresCommands(Path binaries, List<String> prefix) {
    this.binaries = binaries;
    this.prefix = prefix;
  }

  static PostgresCommands unpacked() throws IOException {
    return new PostgresCommands(PostgresBinaries.unpack(), prefix());
  }

  /// The server as a direct child. `setsid` keeps a Ctrl-C in the terminal from it, for we stop it
  /// ourselves after the last write; `setpriv` has the kernel send it SIGINT, PostgreSQL's word for
  /// a fast and orderly shutdown, when the thread that started it is gone.
  List<String> server(Path data, int port, PostgresSettings settings) {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(List.of("setsid", "setpriv", "--pdeathsig", "INT"));
    command.addAll(List.of(program("postgres"), "-D", data.toString(), "-p", "" + port));
    command.addAll(settings.arguments());
    return command;
  }

  /// A new data directory: UTF-8, sorted by code point, the same on every machine.
  void initialize(Path data, boolean temporary) throws IOException {
    List<String> command =
        command("initdb", "-D", data.toString(), "-U", "postgres", "-A", "trust");
    command.addAll(List.of("--encoding=UTF8", "--locale=C", "--locale-provider=builtin"));
    command.add("--builtin-locale=C.UTF-8");
    if (temporary) {
      command.add("--no-sync");
    }
    run(command);
  }

  /// Stops the server that runs on the directory, whoever started it, and waits until it has stopped.
  void stop(Path data, Duration patience) throws IOException {
    String seconds = Long.toString(patience.toSeconds());
    run(command("pg_ctl", "stop", "-D", data.toString(), "-m", "fast", "-w", "-t", seconds));
  }

  private List<String> command(String program, String... arguments) {
    List<String> command = new ArrayList<>(prefix);
    command.add(program(program));
    command.addAll(List.of(arguments));
    return command;
  }

  private String program(String name) {
    return binaries.resolve("bin").resolve(name).toString();
  }

  private static List<String> prefix() throws IOException {
    if (!ROOT.equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) {
      return List.of();
    }
    List<String> prefix = List.of("unshare", "-U");
    try {
      run(List.of("unshare", "-U", "true"));
    } catch (IOException e) {
      throw new IOException(
          "PostgreSQL does not run as root and this machine allows no user namespaces;"
              + " run Torg as an ordinary user",
          e);
    }
    return prefix;
  }

  private static void run(List<String> command) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectInput(new File("/dev/null"))
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (exitCode(process) != 0) {
      throw new IOException(String.join(" ", command) + " failed: " + output);
    }
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
