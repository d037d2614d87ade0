package dev.torg.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The operating system user that PostgreSQL runs as: this process's own, unless that is root.
///
/// Started as root, PostgreSQL runs as the first of the users `torg`, `postgres` and `nobody` that
/// can be assumed, with [#GROUP] as its only group. No other process has that group, so the kernel
/// lets none of them trace the server or read its files through `/proc`, not even one that runs as
/// `nobody` too.
///
/// The directories above the data directory stay closed to that user (`/root`, a data directory of
/// mode 0700). A shell that is still root opens the data directory and passes it on as
/// [#DESCRIPTOR]; `/proc/self/fd/5` then names it for the server and its children.
record ServerUser(String name, int uid, int gid, boolean isSelf) {
  private static final int ROOT = 0;
  private static final List<String> CANDIDATES = List.of("torg", "postgres", "nobody");

  /// Between the ranges that distributions, systemd and container runtimes assign.
  private static final int GROUP = 60_742;

  private static final int DESCRIPTOR = 5;

  /// `cd /` because the server's user may not be able to read the current directory.
  private static final String PASS_DIRECTORY =
      "exec %d<\"$0\" && cd / && exec \"$@\"".formatted(DESCRIPTOR);

  static int self() {
    try {
      return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static ServerUser choose() throws IOException {
    int self = self();
    return self == ROOT ? firstOf(CANDIDATES) : new ServerUser("", self, -1, true);
  }

  static ServerUser firstOf(List<String> candidates) throws IOException {
    List<String> refused = new ArrayList<>();
    for (String name : candidates) {
      try {
        String uid = Commands.run(as(name, "id", "-u"));
        return new ServerUser(name, Integer.parseInt(uid.strip()), GROUP, false);
      } catch (IOException e) {
        refused.add(name + ": " + e.getMessage());
      }
    }
    throw new IOException(
        "PostgreSQL does not run as root, and no other user can be assumed here; run Torg as an ordinary user ("
            + String.join("; ", refused)
            + ")");
  }

  /// The command line that runs a program as this user; the program addresses the data directory by
  /// [#pathOf].
  List<String> command(Path data, String... program) {
    if (isSelf) {
      return List.of(program);
    }
    List<String> command = new ArrayList<>(List.of("sh", "-c", PASS_DIRECTORY, data.toString()));
    command.addAll(as(name, program));
    return command;
  }

  /// The path of the data directory for a program run by [#command].
  String pathOf(Path data) {
    return isSelf ? data.toString() : "/proc/self/fd/" + DESCRIPTOR;
  }

  /// Makes this user the owner of a directory and of its contents. The directory itself is changed last: once
  /// it has its owner, everything has.
  void own(Path directory) throws IOException {
    if (isSelf || owns(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(file -> !file.equals(directory)).toList()) {
        chown(file);
      }
    }
    chown(directory);
  }

  private boolean owns(Path file) throws IOException {
    return Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS).equals(uid)
        && Files.getAttribute(file, "unix:gid", LinkOption.NOFOLLOW_LINKS).equals(gid);
  }

  private void chown(Path file) throws IOException {
    Files.setAttribute(file, "unix:gid", gid, LinkOption.NOFOLLOW_LINKS);
    Files.setAttribute(file, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
  }

  private static List<String> as(String name, String... program) {
    List<String> command = new ArrayList<>(List.of("setpriv", "--reuid", name));
    command.addAll(List.of("--regid", "" + GROUP, "--clear-groups", "--no-new-privs"));
    command.addAll(List.of(program));
    return command;
  }
}
