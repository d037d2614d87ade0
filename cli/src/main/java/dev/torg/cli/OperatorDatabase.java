package dev.torg.cli;

import dev.torg.platform.Failure;
import dev.torg.platform.db.Database;
import dev.torg.server.config.Configuration;
import dev.torg.server.run.RunningInstance;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;

/// The database that an operator's command reads: the given one, or that of the Torg that runs on the data
/// directory.
final class OperatorDatabase {
  private static final int CONNECTIONS = 4;

  private OperatorDatabase() {}

  static void use(CommandSpec command, Consumer<Database> action) {
    Configuration configuration =
        SettingOptions.configuration(command.commandLine().getParseResult());
    try (Database database = Database.connect(url(configuration), CONNECTIONS)) {
      action.accept(database);
    }
  }

  private static String url(Configuration configuration) {
    return configuration
        .database()
        .or(() -> RunningInstance.read(configuration.data()).map(torg -> "jdbc:" + torg.database()))
        .orElseThrow(
            () ->
                Failure.unavailable(
                    "torg.not-running", "no Torg runs on " + configuration.data(), null));
  }
}
