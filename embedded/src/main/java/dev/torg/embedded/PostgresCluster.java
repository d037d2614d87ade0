package dev.torg.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/// Prepares PostgreSQL's data directory for a server start: it exists, belongs to the server's user, and
/// requires a password from every client.
///
/// A directory of an earlier version, owned by root or without authentication, is upgraded. Each step can be
/// repeated, and the file with the passwords is written last: an interrupted start leaves steps to repeat and
/// never a password that is stored nowhere.
final class PostgresCluster {
  private static final String RULES_FILE = "pg_hba.conf";

  /// There is no line for sockets because the server has none. `replication` is for `pg_basebackup`.
  private static final String RULES =
      """
      # Torg writes this file when it starts; changes are lost.
      host  all          all       127.0.0.1/32  scram-sha-256
      host  replication  postgres  127.0.0.1/32  scram-sha-256
      """;

  private final PostgresCommands commands;
  private final Path directory;
  private final Path data;

  PostgresCluster(PostgresCommands commands, Path directory) {
    this.commands = commands;
    this.directory = directory;
    this.data = directory.resolve("data");
  }

  Path data() {
    return data;
  }

  /// Returns the passwords that are valid from now on. No server may run on the directory.
  PostgresPasswords prepare(boolean temporary) throws IOException {
    if (Files.notExists(data)) {
      return initialize(temporary);
    }
    commands.user().own(data);
    Optional<PostgresPasswords> existing = PostgresPasswords.read(directory);
    boolean guarded = rules().equals(RULES);
    if (existing.isPresent() && guarded) {
      return existing.get();
    }
    PostgresPasswords passwords = existing.orElseGet(PostgresPasswords::random);
    commands.setPassword(data, passwords.superuser());
    commands.replace(data, RULES_FILE, RULES);
    passwords.write(directory);
    return passwords;
  }

  /// The data directory appears by one rename, so a partial one, left by a killed start, is never used.
  /// Passwords of a former cluster are deleted first: they would be mistaken for this one's.
  private PostgresPasswords initialize(boolean temporary) throws IOException {
    PostgresPasswords passwords = PostgresPasswords.random();
    PostgresPasswords.delete(directory);
    Path unfinished = data.resolveSibling("data.unfinished");
    Directories.delete(unfinished);
    PrivateDirectory.ensure(unfinished);
    commands.user().own(unfinished);
    commands.initialize(unfinished, temporary, passwords.superuser());
    commands.replace(unfinished, RULES_FILE, RULES);
    Files.move(unfinished, data);
    Directories.force(directory);
    passwords.write(directory);
    return passwords;
  }

  private String rules() throws IOException {
    try {
      return Files.readString(data.resolve(RULES_FILE));
    } catch (NoSuchFileException e) {
      return "";
    }
  }
}
