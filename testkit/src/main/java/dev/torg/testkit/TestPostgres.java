package dev.torg.testkit;

import dev.torg.embedded.EmbeddedPostgres;
import dev.torg.testkit.citus.CitusCluster;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The one PostgreSQL of this JVM: embedded, or the one that `TORG_TEST_DB` names by the JDBC address of a
/// database from which others may be created. Created databases are dropped at the end.
///
/// If that database is on the coordinator of a Citus cluster, databases are created on its workers, too.
public final class TestPostgres {
  private static final int MAX_DROP_ATTEMPTS = 40;
  private static final Duration DROP_PAUSE = Duration.ofMillis(250);

  private static final Pattern ADDRESS = Pattern.compile("(jdbc:postgresql://[^/]*/)([^?]*)(.*)");

  private final Matcher address;
  private final Optional<CitusCluster> cluster;
  private final Set<String> created = ConcurrentHashMap.newKeySet();

  private TestPostgres(String url) {
    this.address = ADDRESS.matcher(url);
    if (!address.matches()) {
      throw new IllegalArgumentException("TORG_TEST_DB must be jdbc:postgresql://host:port/name");
    }
    this.cluster = CitusCluster.at(url(address.group(2)), this::url);
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
    return cluster.isPresent();
  }

  void create(String database) {
    if (cluster.isPresent()) {
      cluster.get().create(database);
      created.add(database);
    } else {
      createPlain(database);
    }
  }

  /// Without the extension, which makes a database part of a cluster.
  void createPlain(String database) {
    execute("CREATE DATABASE " + database);
    created.add(database);
  }

  void copy(String template, String database) {
    execute("CREATE DATABASE " + database + " TEMPLATE " + template);
    created.add(database);
  }

  /// FORCE is refused to a role that is no superuser while an autovacuum worker, which is one, is
  /// in the database; without it PostgreSQL ends that worker, but not sessions of ours. So both are
  /// tried alternately.
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
    String url = System.getenv("TORG_TEST_DB");
    if (url != null && !url.isEmpty()) {
      TestPostgres server = new TestPostgres(url);
      AtExit.run(() -> Set.copyOf(server.created).forEach(server::drop));
      return server;
    }
    EmbeddedPostgres embedded = EmbeddedPostgres.temporary();
    AtExit.run(embedded::close);
    return new TestPostgres(embedded.url("postgres"));
  }

  private void execute(String sql) {
    try (Connection connection = DriverManager.getConnection(url(address.group(2)));
        Statement statement = connection.createStatement()) {
      if (cluster.isPresent()) {
        statement.execute(CitusCluster.PROPAGATE);
      }
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }
}
