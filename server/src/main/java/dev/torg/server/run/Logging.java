package dev.torg.server.run;

import dev.torg.server.config.Configuration;
import java.util.Locale;

/// Hands the log settings to Logback, which reads system properties when the first logger is made: so this runs first.
public final class Logging {
  private Logging() {}

  public static void configure(Configuration configuration) {
    System.setProperty("TORG_LOG_LEVEL", configuration.logLevel().toUpperCase(Locale.ROOT));
    System.setProperty("TORG_LOG_FORMAT", configuration.jsonLogs() ? "JSON" : "TEXT");
    System.setProperty("TORG_ACCESS_LOG", configuration.accessLog() ? "DEBUG" : "INFO");
  }
}
