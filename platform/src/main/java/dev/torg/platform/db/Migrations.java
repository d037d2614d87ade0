package dev.torg.platform.db;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.callback.BaseCallback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;

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

  public static Migrations of(String... modules) {
    return new Migrations(List.of(modules));
  }

  /// Migrates the database at this JDBC address. Several processes may do so concurrently.
  public void migrate(String url) {
    modules.forEach(module -> migrate(url, module));
  }

  private static void migrate(String url, String module) {
    DataSource sessions = SessionSettings.migrating(url);
    Flyway.configure()
        .dataSource(sessions)
        .callbacks(new LiftTimeouts())
        .locations("classpath:db/" + module)
        .failOnMissingLocations(true)
        .validateMigrationNaming(true)
        .table(module + "_history")
        .baselineOnMigrate(true)
        .baselineVersion("0")
        .load()
        .migrate();
    try (Connection connection = sessions.getConnection()) {
      if (Citus.isPresent(connection)) {
        NodeSettings.ensure(connection);
        Citus.distribute(connection);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("cannot distribute the tables of " + module, e);
    }
  }

  /// Removes the timeouts of the nodes for the transaction of each migration.
  private static final class LiftTimeouts extends BaseCallback {
    @Override
    public boolean supports(Event event, Context context) {
      return event == Event.BEFORE_EACH_MIGRATE;
    }

    @Override
    public void handle(Event event, Context context) {
      try {
        if (Citus.isPresent(context.getConnection())) {
          NodeSettings.lift(context.getConnection());
        }
      } catch (SQLException e) {
        throw new IllegalStateException("cannot lift the timeouts of a migration", e);
      }
    }
  }
}
