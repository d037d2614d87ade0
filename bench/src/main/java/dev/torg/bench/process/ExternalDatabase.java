package dev.torg.bench.process;

import dev.torg.platform.Failure;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The option `--db`: an empty database to run on, of PostgreSQL or of a Citus coordinator, instead of the embedded
/// one. The database is the caller's: it is neither created nor dropped here, and its server is never killed.
public final class ExternalDatabase {
  private static final String SCHEME = "jdbc:postgresql://";

  /// Tables other than those of extensions.
  private static final String FIRST_TABLE =
      """
      SELECT c.relname FROM pg_class c
       WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
         AND NOT EXISTS (SELECT FROM pg_depend d
                          WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
       ORDER BY c.relname LIMIT 1
      """;

  @Option(
      names = "--db",
      paramLabel = "URL",
      description =
          "Run on this empty database of PostgreSQL or of a Citus coordinator instead of an embedded one"
              + " (jdbc:postgresql://host:port/name?user=…&password=…); Kafka stays embedded.")
  private @Nullable String url;

  /// The JDBC address, if one is given; fails when the database has tables.
  public Optional<String> requireEmpty() {
    Optional<String> address = Optional.ofNullable(url);
    address.ifPresent(ExternalDatabase::check);
    return address;
  }

  private static void check(String url) {
    if (!url.startsWith(SCHEME)) {
      throw Failure.of(Failure.Kind.INVALID, "db.invalid", "--db must start with " + SCHEME);
    }
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet tables = statement.executeQuery(FIRST_TABLE)) {
      if (tables.next()) {
        throw Failure.conflict(
            "db.not-empty",
            "the database of --db must be empty, but has tables, such as %s: create a new one for each run"
                .formatted(tables.getString(1)));
      }
    } catch (SQLException e) {
      throw Failure.unavailable(
          "database.unreachable", "cannot use the database of --db: " + e.getMessage(), e);
    }
  }
}
