package dev.torg.bench.process;

import dev.torg.server.config.Configuration;
import dev.torg.server.config.Setting;
import dev.torg.server.config.SettingValues;
import dev.torg.server.run.Torg;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/// The server of a benchmark, in a process of its own: Torg on a directory and a free port, as quiet and
/// as generous as load needs it.
public final class BenchServer {
  private BenchServer() {}

  /// Serves until the process is asked to end.
  ///
  /// @param arguments the data directory
  /// @param special settings in addition to the usual ones
  /// @param more the baseline services, on the same port
  public static void serve(String[] arguments, Map<Setting, String> special, Torg.MoreRpcs more)
      throws InterruptedException {
    Map<Setting, String> options = new EnumMap<>(Setting.class);
    options.put(Setting.DATA, arguments[0]);
    options.put(Setting.PORT, "0");
    options.put(Setting.RATE_LIMIT, "1000000");
    options.put(Setting.HTTP2_STREAMS, "10000");
    options.put(Setting.CALLS_PER_ADDRESS, "10000");
    options.put(Setting.LOG_LEVEL, "warn");
    options.putAll(special);
    Configuration configuration =
        Configuration.of(SettingValues.read(options, Map.of(), Optional.empty()));
    System.exit(Torg.start(configuration, System.err::println, more).awaitEnd());
  }
}
