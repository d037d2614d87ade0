package dev.torg.testkit;

import dev.torg.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The one PostgreSQL of this JVM: embedded, or the one that `TORG_TEST_DB` names by the JDBC address of a
/// database from which others may be created. Created databases are dropped at the end.
public final class TestPostgres {
  private static final int MAX_DROP_ATTEMPTS = 40;
  private static final Duration DROP_PAUSE = Duration.ofMillis(250);

  private static final Pattern ADDRESS = Pattern.compile("(jdbc:postgresql://[^/]*/)([^?]*)(.*)");

  private final Matcher address;
  private final boolean citus;
  private final Set<String> created = ConcurrentHashMap.newKeySet();

  private TestPostgres(String url) {
    this.address = ADDRESS.matcher(url);
    if (!address.matches()) {
      throw new IllegalArgumentException("TORG_TEST_DB must be jdbc:postgresql://host:port/name");
    }
    this.citus =
        query("SELECT count(*) FROM pg_available_extensions WHERE name = 'citus'").equals("1");
  }

  /// Holds the server from the first use to the end of the JVM.
  private static final class Shared {
    static final TestPostgres SERVER = start();

    private Shared() {}
  }

  public static TestPostgres shared() {
    return Shared.SERVER;
  }

  /// The JDBC address of a database on this server.
  public String url(String database) {
    return address.group(1) + database + address.group(3);
  }

  /// Whether tables are distributed here.
  public boolean hasCitus() {
    return citus;
  }

  void create(String database) {
    execute("CREATE DATABASE " + database);
    created.add(database);
    if (citus) {
      execute(url(database), "CREATE EXTENSION citus");
    }
  }

  void copy(String template, String database) {
    execute("CREATE DATABASE " + database + " TEMPLATE " + template);
    created.add(database);
  }

  /// FORCE is refused to a role that is no superuser while an autovacuum worker, which is one, is in the
  /// database; without it PostgreSQL ends that worker, but not sessions of ours. So both are tried in turns.
  void drop(String database) {
    String drop = "DROP DATABASE IF EXISTS " + database;
    for (int attempt = 1; attempt < MAX_DROP_ATTEMPTS; attempt++) {
      try {
        execute(attempt % 2 == 0 ? drop : drop + " WITH (FORCE)");
        created.remove(database);
        return;
      } catch (IllegalStateException e) {
        LockSupport.parkNanos(DROP_PAUSE.toNanos());
      }
    }
    execute(drop + " WITH (FORCE)");
    created.remove(database);
  }

  private static TestPostgres start() {
    String given = System.getenv("TORG_TEST_DB");
    if (given != null && !given.isEmpty()) {
      TestPostgres server = new TestPostgres(given);
      atExit(() -> Set.copyOf(server.created).forEach(server::drop));
      return server;
    }
    EmbeddedPostgres embedded = EmbeddedPostgres.temporary();
    atExit(embedded::close);
    return new TestPostgres(embedded.url("postgres"));
  }

  private static void atExit(Runnable action) {
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(action));
  }

  private void execute(String sql) {
    execute(url(address.group(2)), sql);
  }

  private static void execute(String url, String sql) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  private String query(String sql) {
    try (Connection connection = DriverManager.getConnection(url(address.group(2)));
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }
}
