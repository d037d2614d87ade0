package dev.torg.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A PostgreSQL 18 server started by Torg: binaries from a dependency, data in a directory, durable.
///
/// It listens on the loopback address only and requires a password, which is stored in the directory
/// ([PostgresPasswords]). Torg's role owns its database and is no superuser. One process at a time holds a
/// directory; a second one fails with the holder. The server's lifetime is bound to this process: it stops with
/// [#close], and shuts down in an orderly way when this process dies, even by `kill -9`. A server that ends
/// unexpectedly is restarted on the same port; [#onLoss] is called when that fails.
public final class EmbeddedPostgres implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedPostgres.class);
  private static final String DATABASE = "torg";

  private final Path directory;
  private final boolean temporary;
  private final DirectoryLock lock;
  private final PostgresServer server;
  private final PostgresPasswords passwords;

  private EmbeddedPostgres(
      Path directory,
      boolean temporary,
      DirectoryLock lock,
      PostgresServer server,
      PostgresPasswords passwords) {
    this.directory = directory;
    this.temporary = temporary;
    this.lock = lock;
    this.server = server;
    this.passwords = passwords;
  }

  /// Starts the server on a new or existing directory; port 0 selects a free one.
  public static EmbeddedPostgres start(Path directory, int port) {
    return start(directory, port, false, PostgresSettings.forMachine());
  }

  /// A small server for tests on a temporary directory; as durable as any other.
  public static EmbeddedPostgres temporary() {
    try {
      Path directory = Files.createTempDirectory("torg-postgres-");
      return start(directory, 0, true, PostgresSettings.small());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static EmbeddedPostgres start(
      Path path, int port, boolean temporary, PostgresSettings settings) {
    long startNanos = System.nanoTime();
    Path directory = path.toAbsolutePath().normalize();
    DirectoryLock lock = DirectoryLock.acquire(directory);
    try {
      PostgresCommands commands = PostgresCommands.unpacked();
      PostgresCluster cluster = new PostgresCluster(commands, directory);
      PostgresServer server = new PostgresServer(commands, cluster.data(), settings);
      server.stopOrphan();
      PostgresPasswords passwords = cluster.prepare(temporary);
      server.start(port);
      ensureDatabaseOrStop(server, passwords, temporary);
      LOG.info(
          "PostgreSQL is ready on port {} after {} ms",
          server.port(),
          (System.nanoTime() - startNanos) / 1_000_000);
      return new EmbeddedPostgres(directory, temporary, lock, server, passwords);
    } catch (IOException | SQLException | RuntimeException e) {
      lock.release();
      throw new IllegalStateException(
          "PostgreSQL did not start on " + directory + ": " + e.getMessage(), e);
    }
  }

  /// The JDBC address of Torg's database, with user and password.
  public String url() {
    return url(DATABASE);
  }

  public String url(String database) {
    return url(server.port(), database, PostgresPasswords.OWNER, passwords.owner());
  }

  public int port() {
    return server.port();
  }

  /// Called, with the reason, when the server ended unexpectedly and could not be restarted.
  public void onLoss(Consumer<String> action) {
    server.lost().thenAccept(action);
  }

  /// Stops the server in an orderly way: open connections are cut, everything is checkpointed.
  @Override
  public void close() {
    server.stop();
    lock.release();
    if (temporary) {
      delete();
    }
  }

  private void delete() {
    try {
      Directories.delete(directory);
    } catch (IOException e) {
      LOG.warn("could not delete {}", directory, e);
    }
  }

  /// A port that was free when checked.
  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /// The user and password of Torg's database on a directory, as parameters of a JDBC address: for other processes of
  /// the same user. Empty where no embedded PostgreSQL was ever started.
  public static Optional<String> parameters(Path directory) {
    return passwords(directory)
        .map(passwords -> parameters(PostgresPasswords.OWNER, passwords.owner()));
  }

  /// The same for the superuser: for tools of the same user that change the server's own settings.
  public static Optional<String> superuserParameters(Path directory) {
    return passwords(directory)
        .map(passwords -> parameters(PostgresPasswords.SUPERUSER, passwords.superuser()));
  }

  private static Optional<PostgresPasswords> passwords(Path directory) {
    try {
      return PostgresPasswords.read(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot read the password of PostgreSQL in " + directory + ": " + e.getMessage(), e);
    }
  }

  private static String url(int port, String database, String user, String password) {
    return "jdbc:postgresql://127.0.0.1:%d/%s?%s"
        .formatted(port, database, parameters(user, password));
  }

  private static String parameters(String user, String password) {
    return "user=" + user + "&password=" + password;
  }

  private static void ensureDatabaseOrStop(
      PostgresServer server, PostgresPasswords passwords, boolean temporary) throws SQLException {
    try {
      ensureDatabase(server, passwords, temporary);
    } catch (SQLException e) {
      server.stop();
      throw e;
    }
  }

  private static void ensureDatabase(
      PostgresServer server, PostgresPasswords passwords, boolean temporary) throws SQLException {
    String superuser = PostgresPasswords.SUPERUSER;
    PostgresRoles.ensure(
        url(server.port(), superuser, superuser, passwords.superuser()),
        url(server.port(), DATABASE, superuser, passwords.superuser()),
        passwords.owner(),
        temporary);
  }
}
