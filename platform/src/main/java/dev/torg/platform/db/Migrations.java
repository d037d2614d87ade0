package dev.torg.platform.db;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.flywaydb.core.Flyway;

/// The tables of some modules, in the order of the modules. Each module has its migrations on the class path
/// under `db/<module>` and its own history, so that modules number their files independently.
///
/// Rules for the files, so that they run on Citus as well: a table has `home int NOT NULL` in its
/// primary key, first if it can be, and is then distributed by it; a table without stays on the
/// coordinator, or is copied to every node if its comment begins with `reference`. No foreign keys
/// across tables, no sequences or identity columns. The tables are distributed right after the module's
/// migration.
public record Migrations(List<String> modules) {
  public Migrations {
    modules = List.copyOf(modules);
  }

  public static Migrations of(String... rooms) {
    return new Migrations(List.of(rooms));
  }

  /// Migrates the database at this JDBC address. Several processes may do so concurrently.
  public void migrate(String url) {
    modules.forEach(module -> migrate(url, module));
  }

  private static void migrate(String url, String module) {
    String history = module + "_history";
    Flyway.configure()
        .dataSource(SessionSettings.migrating(url))
        .locations("classpath:db/" + module)
        .failOnMissingLocations(true)
        .validateMigrationNaming(true)
        .table(history)
        .baselineOnMigrate(true)
        .baselineVersion("0")
        .load()
        .migrate();
    try (Connection connection = DriverManager.getConnection(url)) {
      Citus.distribute(connection, history);
    } catch (SQLException e) {
      throw new IllegalStateException("cannot distribute the tables of " + module, e);
    }
  }
}
