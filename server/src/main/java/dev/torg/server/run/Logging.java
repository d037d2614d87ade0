package dev.torg.server.run;

import dev.torg.embedded.PrivateDirectory;
import dev.torg.server.config.Configuration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Locale;

/// Passes the log settings to Logback, which reads system properties when the first logger is created: so this runs first.
public final class Logging {
  private static final String DIRECTORY = "logs";
  private static final String FILE = "torg.log";

  private Logging() {}

  /// Logs to standard error, for a supervisor to collect.
  public static void configure(Configuration configuration) {
    System.setProperty("TORG_LOG_LEVEL", configuration.logLevel().toUpperCase(Locale.ROOT));
    System.setProperty("TORG_LOG_FORMAT", configuration.jsonLogs() ? "JSON" : "TEXT");
    System.setProperty("TORG_ACCESS_LOG", configuration.accessLog() ? "DEBUG" : "INFO");
  }

  /// Logs to a file in the data directory. Standard error receives only Torg's own warnings and all
  /// errors.
  ///
  /// @return the file
  public static Path toFile(Configuration configuration) {
    Path data = configuration.data();
    Path logs = data.resolve(DIRECTORY);
    configure(configuration);
    System.setProperty("TORG_LOG_DIRECTORY", logs.toString());
    System.setProperty("logback.configurationFile", "logback-file.xml");
    try {
      PrivateDirectory.ensure(data);
      PrivateDirectory.ensure(logs);
      return logs.resolve(FILE);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot use the data directory " + data + ": " + e.getMessage(), e);
    }
  }
}
