package dev.torg.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// Another user of this machine. Root becomes `nobody`; an ordinary user cannot switch to another
/// user, so there only the modes of the files are checked.
final class OtherUser {
  private OtherUser() {}

  static boolean canRead(Path path) throws IOException, InterruptedException {
    if (ServerUser.self() != 0) {
      return false;
    }
    List<String> command =
        List.of("setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups");
    return run(command, "test", "-r", path.toString()) == 0;
  }

  private static int run(List<String> prefix, String... program)
      throws IOException, InterruptedException {
    List<String> command = new java.util.ArrayList<>(prefix);
    command.addAll(List.of(program));
    int exit = new ProcessBuilder(command).start().waitFor();
    if (exit > 1) {
      throw new IOException(command + " cannot be run: " + exit);
    }
    return exit;
  }
}
