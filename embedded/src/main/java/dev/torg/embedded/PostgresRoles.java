package dev.torg.embedded;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/// The role that Torg uses and the database that it owns. The role is no superuser: it can neither read nor write files
/// of the server's user, nor run programs as it.
///
/// A database of an earlier version belongs to the superuser. It and all that is in it change owner in one transaction.
final class PostgresRoles {
  private static final String OWNER = PostgresPasswords.OWNER;

  private static final String CHANGE_OWNER =
      """
      DO $$
      DECLARE item text;
      BEGIN
        FOR item IN
          SELECT format('ALTER SCHEMA %I OWNER TO torg', nspname)
            FROM pg_namespace
            WHERE nspowner = 10 AND nspname !~ '^pg_' AND nspname NOT IN ('information_schema', 'public')
          UNION ALL
          SELECT format('ALTER %s %s OWNER TO torg',
              CASE relkind WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'TABLE' END,
              c.oid::regclass)
            FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
            WHERE relowner = 10 AND relkind IN ('r', 'p', 'v', 'm', 'S')
              AND nspname !~ '^pg_' AND nspname <> 'information_schema'
              AND NOT EXISTS (SELECT 1 FROM pg_depend d
                WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype IN ('a', 'i', 'e'))
          UNION ALL
          SELECT format('ALTER ROUTINE %s OWNER TO torg', p.oid::regprocedure)
            FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace
            WHERE proowner = 10 AND nspname !~ '^pg_' AND nspname <> 'information_schema'
              AND NOT EXISTS (SELECT 1 FROM pg_depend d
                WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
        LOOP
          EXECUTE item;
        END LOOP;
        EXECUTE 'ALTER DATABASE torg OWNER TO torg';
      END $$
      """;

  private PostgresRoles() {}

  /// @param admin the superuser's address of the database `postgres`
  /// @param owned the superuser's address of the database `torg`
  static void ensure(String admin, String owned, String password, boolean mayCreateDatabases)
      throws SQLException {
    String databaseOwner;
    try (Connection connection = DriverManager.getConnection(admin);
        Statement statement = connection.createStatement()) {
      ensureRole(statement, password, mayCreateDatabases);
      databaseOwner = ensureDatabase(statement);
    }
    if (!databaseOwner.equals(OWNER)) {
      execute(owned, CHANGE_OWNER);
    }
  }

  /// The password is set at each start, so it is correct however the last start ended.
  private static void ensureRole(Statement statement, String password, boolean mayCreateDatabases)
      throws SQLException {
    if (query(statement, "SELECT rolname FROM pg_roles WHERE rolname = 'torg'").isEmpty()) {
      statement.execute("CREATE ROLE " + OWNER);
    }
    statement.execute(
        "ALTER ROLE %s LOGIN NOSUPERUSER NOCREATEROLE NOREPLICATION NOBYPASSRLS %s PASSWORD '%s'"
            .formatted(OWNER, mayCreateDatabases ? "CREATEDB" : "NOCREATEDB", password));
  }

  private static String ensureDatabase(Statement statement) throws SQLException {
    String owner =
        query(statement, "SELECT datdba::regrole FROM pg_database WHERE datname = 'torg'");
    if (owner.isEmpty()) {
      statement.execute("CREATE DATABASE torg OWNER " + OWNER);
      return OWNER;
    }
    return owner;
  }

  private static void execute(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String query(Statement statement, String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? rows.getString(1) : "";
    }
  }
}
