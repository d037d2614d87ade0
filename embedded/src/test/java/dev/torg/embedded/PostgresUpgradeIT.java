package dev.torg.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Data directories of earlier versions: every user of the machine may connect as superuser, all tables belong
/// to the superuser, and, where Torg was started by root, all files belong to root.
class PostgresUpgradeIT {
  private static final String TRUST =
      """
      local  all  all                trust
      host   all  all  127.0.0.1/32  trust
      """;

  @TempDir Path directory;

  /// The steps of an upgrade after which the process may have been killed.
  enum KilledAfter {
    NOTHING,
    HALF_OF_THE_FILES_OWNED,
    ALL_FILES_OWNED,
    PASSWORD_SET,
    RULES_WRITTEN,
    PASSWORDS_WRITTEN,
    ROLE_CREATED
  }

  @ParameterizedTest
  @EnumSource
  void start_upgradeKilledAfterAnyStep_completesIt(KilledAfter step) throws Exception {
    createOldDirectory();
    replay(step);
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0)) {
      assertThat(TestSql.query(postgres.url(), "SELECT number FROM kept")).isEqualTo("42");
      TestSql.run(
          postgres.url(),
          "ALTER TABLE kept ADD more int; DROP VIEW seen; DROP SCHEMA side CASCADE");
      assertThat(TestSql.query(postgres.url(), "SELECT nextval('counter')")).isEqualTo("1");
      assertThat(TestSql.query(postgres.url(), "SELECT next_of(1)")).isEqualTo("2");
      assertThatThrownBy(
              () ->
                  TestSql.query(postgres.url().replaceFirst("\\?.*", "?user=postgres"), "SELECT 1"))
          .hasMessageContaining("no password was provided");
      assertThat(ownedBy(uidOfServer())).isTrue();
    }
  }

  @Test
  void start_passwordFileDeleted_setsANewPassword() throws Exception {
    EmbeddedPostgres.start(directory, 0).close();
    Files.delete(directory.resolve("pgpass"));
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0)) {
      assertThat(TestSql.query(postgres.url(), "SELECT 1")).isEqualTo("1");
    }
  }

  @Test
  void start_rulesOpenedManually_areClosed() throws Exception {
    EmbeddedPostgres.start(directory, 0).close();
    Files.writeString(directory.resolve("data/pg_hba.conf"), TRUST);
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0)) {
      assertThatThrownBy(
              () ->
                  TestSql.query(postgres.url().replaceFirst("\\?.*", "?user=postgres"), "SELECT 1"))
          .hasMessageContaining("no password was provided");
      assertThat(TestSql.query(postgres.url(), "SELECT 1")).isEqualTo("1");
    }
  }

  @Test
  void start_dataDeletedButPasswordsRetained_startsOver() throws Exception {
    EmbeddedPostgres.start(directory, 0).close();
    Directories.delete(directory.resolve("data"));
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0)) {
      assertThat(TestSql.query(postgres.url(), "SELECT 1")).isEqualTo("1");
    }
  }

  /// A directory as the version before this one left it.
  private void createOldDirectory() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0)) {
      String password = PostgresPasswords.read(directory).orElseThrow().superuser();
      String base = postgres.url().replaceFirst("\\?.*", "?user=postgres&password=" + password);
      TestSql.run(
          base,
          """
          CREATE TABLE kept AS SELECT 42 AS number;
          CREATE VIEW seen AS SELECT * FROM kept;
          CREATE SEQUENCE counter;
          CREATE SCHEMA side;
          CREATE TABLE side.one (id bigserial PRIMARY KEY);
          CREATE FUNCTION next_of(n int) RETURNS int LANGUAGE sql AS 'SELECT n + 1';
          ALTER DATABASE torg OWNER TO postgres;
          DROP ROLE torg;
          ALTER ROLE postgres PASSWORD NULL
          """);
    }
    Files.writeString(directory.resolve("data/pg_hba.conf"), TRUST);
    Files.delete(directory.resolve("pgpass"));
    if (ServerUser.self() == 0) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.toList()) {
          Files.setAttribute(file, "unix:uid", 0);
          Files.setAttribute(file, "unix:gid", 0);
        }
      }
    }
  }

  private void replay(KilledAfter step) throws Exception {
    if (step == KilledAfter.NOTHING) {
      return;
    }
    PostgresCommands commands = PostgresCommands.unpacked();
    Path data = directory.resolve("data");
    if (step == KilledAfter.HALF_OF_THE_FILES_OWNED) {
      commands.user().own(data.resolve("base"));
      return;
    }
    commands.user().own(data);
    if (step == KilledAfter.ALL_FILES_OWNED) {
      return;
    }
    if (step == KilledAfter.PASSWORDS_WRITTEN || step == KilledAfter.ROLE_CREATED) {
      new PostgresCluster(commands, directory).prepare(false);
    } else {
      commands.setPassword(data, Secrets.random());
    }
    if (step == KilledAfter.RULES_WRITTEN) {
      new PostgresCluster(commands, directory).prepare(false);
      Files.delete(directory.resolve("pgpass"));
    }
    if (step == KilledAfter.ROLE_CREATED) {
      createRoleOnly(commands, data);
    }
  }

  private void createRoleOnly(PostgresCommands commands, Path data) throws Exception {
    PostgresServer server = new PostgresServer(commands, data, PostgresSettings.small());
    server.start(0);
    String password = PostgresPasswords.read(directory).orElseThrow().superuser();
    TestSql.run(
        "jdbc:postgresql://127.0.0.1:%d/postgres?user=postgres&password=%s"
            .formatted(server.port(), password),
        "CREATE ROLE torg");
    server.stop();
  }

  private int uidOfServer() throws IOException {
    String pid = Files.readAllLines(directory.resolve("data/postmaster.pid")).getFirst().strip();
    return (int) Files.getAttribute(Path.of("/proc", pid), "unix:uid");
  }

  private boolean ownedBy(int uid) throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("data"))) {
      for (Path file : files.toList()) {
        if (Files.exists(file) && !Files.getAttribute(file, "unix:uid").equals(uid)) {
          return false;
        }
      }
    }
    return true;
  }
}
