package dev.torg.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What other users of the machine, and Torg's own role, can do with the embedded PostgreSQL.
class PostgresAccessIT {
  private static final String PASSWORD_REFUSED = "28P01";
  private static final String NOT_ALLOWED = "42501";

  @TempDir Path directory;

  @Test
  void connect_withoutPassword_isRefused() {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0)) {
      for (String user : List.of("postgres", "torg")) {
        assertThatThrownBy(() -> TestSql.query(address(postgres, user, ""), "SELECT 1"))
            .hasMessageContaining("no password was provided");
        assertThatThrownBy(
                () -> TestSql.query(address(postgres, user, "&password=guess"), "SELECT 1"))
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(PASSWORD_REFUSED));
      }
    }
  }

  @Test
  void torgsRole_filesAndProgramsOfTheServer_areRefused() throws SQLException {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0)) {
      assertThat(TestSql.query(postgres.url(), "SHOW is_superuser")).isEqualTo("off");
      for (String attack :
          List.of(
              "COPY (SELECT 1) TO PROGRAM 'id'",
              "COPY (SELECT 1) TO '/tmp/torg-attack'",
              "SELECT pg_read_file('postgresql.conf')",
              "CREATE ROLE another SUPERUSER",
              "ALTER ROLE torg SUPERUSER")) {
        assertThatThrownBy(() -> TestSql.run(postgres.url(), attack))
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(NOT_ALLOWED));
      }
    }
  }

  @Test
  void torgsRole_itsDatabase_isItsOwn() throws SQLException {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0)) {
      TestSql.run(postgres.url(), "CREATE TABLE offer (id int); DROP TABLE offer");
      assertThat(
              TestSql.query(
                  postgres.url(), "SELECT datdba::regrole FROM pg_database WHERE datname = 'torg'"))
          .isEqualTo("torg");
    }
  }

  @Test
  void server_startedByAnyUser_doesNotRunAsRoot() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0)) {
      String pid = Files.readAllLines(directory.resolve("data/postmaster.pid")).getFirst().strip();
      List<String> status = Files.readAllLines(Path.of("/proc", pid, "status"));
      assertThat(field(status, "Uid:")).doesNotContain("0").hasSize(4);
      assertThat(field(status, "Gid:")).hasSize(4);
      assertThat(mappedToRoot(pid)).isFalse();
      assertThat(TestSql.query(superuser(postgres), "SELECT 1")).isEqualTo("1");
      Path proof = Files.createTempDirectory("torg-program").resolve("uid");
      Files.setPosixFilePermissions(
          proof.getParent(), PosixFilePermissions.fromString("rwxrwxrwx"));
      TestSql.run(superuser(postgres), "COPY (SELECT 1) TO PROGRAM 'id -u > " + proof + "'");
      assertThat(Files.readString(proof).strip()).isNotEqualTo("0");
      Directories.delete(proof.getParent());
    }
  }

  @Test
  void server_startedByRoot_runsWithAGroupOfItsOwn() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0)) {
      assertThat(postgres.port()).isPositive();
      String pid = Files.readAllLines(directory.resolve("data/postmaster.pid")).getFirst().strip();
      List<String> status = Files.readAllLines(Path.of("/proc", pid, "status"));
      if (ServerUser.self() == 0) {
        assertThat(field(status, "Gid:")).containsOnly("60742");
        assertThat(field(status, "Groups:")).isEmpty();
        assertThat(field(status, "NoNewPrivs:")).containsOnly("1");
      }
      assertThat(Files.getAttribute(directory.resolve("data"), "unix:uid").toString())
          .isEqualTo(field(status, "Uid:").getFirst());
    }
  }

  @Test
  void start_underADirectoryThatOnlyRootEnters_works() throws Exception {
    Path closed =
        Files.createDirectory(
            directory.resolve("closed"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(closed.resolve("a/b"), 0)) {
      assertThat(TestSql.query(postgres.url(), "SELECT 1")).isEqualTo("1");
    }
  }

  @Test
  void files_otherUsers_cannotReadAny() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0)) {
      assertThat(postgres.port()).isPositive();
      assertThat(mode(directory)).isEqualTo("rwx------");
      assertThat(mode(directory.resolve("data"))).isEqualTo("rwx------");
      assertThat(mode(directory.resolve("pgpass"))).isEqualTo("rw-------");
      for (String file : List.of("", "pgpass", "data", "data/pg_hba.conf", "postgres.log")) {
        assertThat(OtherUser.canRead(directory.resolve(file))).as(file).isFalse();
      }
    }
  }

  @Test
  void start_directoryOpenToEverybody_isTightened() throws Exception {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0)) {
      assertThat(postgres.port()).isPositive();
      assertThat(mode(directory)).isEqualTo("rwx------");
    }
  }

  @Test
  void passwords_ofTwoDirectories_differ() throws Exception {
    EmbeddedPostgres.start(directory.resolve("one"), 0).close();
    EmbeddedPostgres.start(directory.resolve("two"), 0).close();
    assertThat(EmbeddedPostgres.parameters(directory.resolve("one")))
        .isPresent()
        .isNotEqualTo(EmbeddedPostgres.parameters(directory.resolve("two")));
  }

  @Test
  void log_afterAFailedLogin_doesNotContainThePassword() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0)) {
      assertThatThrownBy(
          () -> TestSql.query(address(postgres, "torg", "&password=guess"), "SELECT 1"));
      PostgresPasswords passwords = PostgresPasswords.read(directory).orElseThrow();
      assertThat(Files.readString(directory.resolve("postgres.log")))
          .doesNotContain(passwords.owner(), passwords.superuser());
      assertThat(passwords.toString()).doesNotContain(passwords.owner());
    }
  }

  /// A user namespace in which the server's kernel user is still root.
  private static boolean mappedToRoot(String pid) throws IOException {
    return ServerUser.self() == 0
        && !Files.readString(Path.of("/proc", pid, "uid_map"))
            .equals(Files.readString(Path.of("/proc/self/uid_map")));
  }

  private static List<String> field(List<String> status, String name) {
    return status.stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()).strip())
        .filter(values -> !values.isEmpty())
        .flatMap(values -> List.of(values.split("\\s+")).stream())
        .toList();
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  private String superuser(EmbeddedPostgres postgres) throws IOException {
    String password = PostgresPasswords.read(directory).orElseThrow().superuser();
    return address(postgres, "postgres", "&password=" + password);
  }

  private static String address(EmbeddedPostgres postgres, String user, String more) {
    return "jdbc:postgresql://127.0.0.1:%d/torg?user=%s%s".formatted(postgres.port(), user, more);
  }
}
