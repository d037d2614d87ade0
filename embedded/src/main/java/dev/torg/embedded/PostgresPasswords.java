package dev.torg.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The passwords of the embedded PostgreSQL: of its superuser, which administers it, and of the
/// role that owns Torg's database and has no rights outside of it.
///
/// They are stored in PostgreSQL's own format, so that `PGPASSFILE=…/pgpass psql …` works, in a
/// file of mode 0600. The file exists only when the cluster has the superuser's password that it
/// contains.
record PostgresPasswords(String superuser, String owner) {
  static final String SUPERUSER = "postgres";
  static final String OWNER = "torg";

  private static final String FILE = "pgpass";

  static PostgresPasswords random() {
    return new PostgresPasswords(Secrets.random(), Secrets.random());
  }

  /// The contents of the file in the directory; empty if there is none, or it was not written by Torg.
  static Optional<PostgresPasswords> read(Path directory) throws IOException {
    try {
      List<String> lines = Files.readAllLines(directory.resolve(FILE));
      return password(lines, SUPERUSER)
          .flatMap(
              superuser ->
                  password(lines, OWNER).map(owner -> new PostgresPasswords(superuser, owner)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  void write(Path directory) throws IOException {
    Secrets.write(directory.resolve(FILE), line(SUPERUSER, superuser) + line(OWNER, owner));
  }

  static void delete(Path directory) throws IOException {
    Files.deleteIfExists(directory.resolve(FILE));
    Directories.force(directory);
  }

  private static Optional<String> password(List<String> lines, String user) {
    String start = start(user);
    return lines.stream()
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length()).strip())
        .filter(Secrets::isOne)
        .findFirst();
  }

  private static String line(String user, String password) {
    return start(user) + password + "\n";
  }

  /// Any host, port and database: the port differs from one start to the next.
  private static String start(String user) {
    return "*:*:*:" + user + ":";
  }

  @Override
  public String toString() {
    return "PostgresPasswords";
  }
}
