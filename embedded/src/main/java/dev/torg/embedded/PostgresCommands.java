package dev.torg.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The command lines of PostgreSQL's programs, run as [ServerUser].
final class PostgresCommands {
  private final Path binaries;
  private final ServerUser user;

  private PostgresCommands(Path binaries, ServerUser user) {
    this.binaries = binaries;
    this.user = user;
  }

  static PostgresCommands unpacked() throws IOException {
    ServerUser user = ServerUser.choose();
    return new PostgresCommands(PostgresBinaries.unpack(user), user);
  }

  ServerUser user() {
    return user;
  }

  /// The server as a direct child. `setsid` shields it from a Ctrl-C in the terminal, since it is
  /// stopped explicitly after the last write; `setpriv` has the kernel send it SIGINT, PostgreSQL's
  /// signal for a fast shutdown, when the thread that started it ends. It is applied after the
  /// change of user, which would cancel it.
  List<String> server(Path data, int port, PostgresSettings settings) {
    List<String> command = new ArrayList<>(List.of("setsid", "setpriv", "--pdeathsig", "INT"));
    command.addAll(List.of(program("postgres"), "-D", user.pathOf(data), "-p", "" + port));
    command.addAll(settings.arguments());
    return asUser(data, command);
  }

  /// A new data directory, in an empty directory of the server's user: UTF-8, sorted by code point, the
  /// same on every machine. The password of the superuser is read from a pipe of the server's user, so it
  /// is in no file and on no command line.
  void initialize(Path data, boolean temporary, String password) throws IOException {
    List<String> command = new ArrayList<>(List.of("sh", "-c", "cat | exec \"$0\" \"$@\""));
    command.addAll(List.of(program("initdb"), "-D", user.pathOf(data)));
    command.addAll(List.of("-U", PostgresPasswords.SUPERUSER, "--pwfile=/dev/stdin"));
    command.addAll(List.of("--auth-host=scram-sha-256", "--auth-local=scram-sha-256"));
    command.addAll(List.of("--set", PostgresSettings.SCRAM_ITERATIONS));
    command.addAll(List.of("--encoding=UTF8", "--locale=C", "--locale-provider=builtin"));
    command.add("--builtin-locale=C.UTF-8");
    if (temporary) {
      command.add("--no-sync");
    }
    Commands.run(asUser(data, command), password + "\n");
  }

  /// Sets the superuser's password while no server runs, in single-user mode, which listens nowhere.
  void setPassword(Path data, String password) throws IOException {
    List<String> command =
        asUser(
            data,
            List.of(
                program("postgres"),
                "--single",
                "-D",
                user.pathOf(data),
                "-c",
                PostgresSettings.SCRAM_ITERATIONS,
                "-c",
                "exit_on_error=on",
                "postgres"));
    Commands.run(
        command, "ALTER ROLE %s PASSWORD '%s'\n".formatted(PostgresPasswords.SUPERUSER, password));
  }

  /// Replaces a file in the data directory as the server's user does: root must not write into a
  /// directory where another user could have put a link.
  void replace(Path data, String name, String content) throws IOException {
    String script = "cat > \"$0/$1.new\" && mv -f \"$0/$1.new\" \"$0/$1\"";
    Commands.run(asUser(data, List.of("sh", "-c", script, user.pathOf(data), name)), content);
  }

  /// PostgreSQL's signal for a fast shutdown.
  static void interrupt(long pid) throws IOException {
    Commands.run(List.of("sh", "-c", "kill -INT \"$0\"", Long.toString(pid)));
  }

  private List<String> asUser(Path data, List<String> command) {
    return user.command(data, command.toArray(String[]::new));
  }

  private String program(String name) {
    return binaries.resolve("bin").resolve(name).toString();
  }
}
