package dev.torg.testkit;

import dev.torg.testkit.citus.FakeCitus;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// A fresh database for one test class, dropped after it:
///
///     @RegisterExtension
///     static final TestDatabase DATABASE = TestDatabase.fresh("offers", MIGRATIONS::migrate);
///
/// The migrations run once per name and JVM, into a template that each fresh database is a copy of.
public final class TestDatabase implements AfterAllCallback, AutoCloseable {
  private static final Map<String, String> TEMPLATES = new ConcurrentHashMap<>();

  private final TestPostgres server;
  private final String name;

  /// Whether it appears distributed and refuses what a cluster refuses.
  private final boolean isFakeCitus;

  private TestDatabase(TestPostgres server, String name, boolean isFakeCitus) {
    this.server = server;
    this.name = name;
    this.isFakeCitus = isFakeCitus;
  }

  /// An empty database; with `TORG_TEST_FAKE_CITUS` a plain one, too.
  public static TestDatabase empty() {
    TestPostgres server = TestPostgres.shared();
    String name = unique("empty");
    server.create(name);
    return new TestDatabase(server, name, false);
  }

  /// An empty database without Citus, on a cluster, too.
  public static TestDatabase plain() {
    TestPostgres server = TestPostgres.shared();
    String name = unique("plain");
    server.createPlain(name);
    return new TestDatabase(server, name, false);
  }

  /// A database with all tables; with `TORG_TEST_FAKE_CITUS` one that refuses what a Citus cluster refuses
  /// ([FakeCitus]). The name identifies the set of migrations; they receive the JDBC address of the database to
  /// migrate.
  public static TestDatabase fresh(String migrationsName, Consumer<String> migrations) {
    TestPostgres server = TestPostgres.shared();
    return server.hasCitus()
        ? migrated(server, migrationsName, migrations)
        : copied(server, migrationsName, migrations);
  }

  /// Its JDBC address, user and password included.
  public String url() {
    return isFakeCitus ? FakeCitus.guarded(server.url(name)) : server.url(name);
  }

  public String name() {
    return name;
  }

  @Override
  public void afterAll(ExtensionContext context) {
    close();
  }

  @Override
  public void close() {
    server.drop(name);
  }

  /// Citus stores the map of its shards in the database, and a copy would refer to the original's.
  private static TestDatabase migrated(
      TestPostgres server, String migrationsName, Consumer<String> migrations) {
    String name = unique(migrationsName);
    server.create(name);
    if (FakeCitus.isEnabled()) {
      FakeCitus.install(server.url(name));
    }
    migrations.accept(server.url(name));
    return new TestDatabase(server, name, FakeCitus.isEnabled());
  }

  private static TestDatabase copied(
      TestPostgres server, String migrationsName, Consumer<String> migrations) {
    String template =
        TEMPLATES.computeIfAbsent(
            migrationsName, key -> migrated(server, "template_" + key, migrations).name());
    String name = unique(migrationsName);
    server.copy(template, name);
    return new TestDatabase(server, name, FakeCitus.isEnabled());
  }

  private static String unique(String about) {
    String word = about.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_");
    return "torg_" + word + "_" + Long.toHexString(ThreadLocalRandom.current().nextLong());
  }
}
