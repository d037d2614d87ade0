package dev.torg.bench.photos;

import dev.torg.server.config.Configuration;
import dev.torg.server.config.Setting;
import dev.torg.server.config.Settings;
import dev.torg.server.run.Torg;
import java.util.Map;
import java.util.Optional;

/// The server of the benchmark: all that photos need, and photos from this machine allowed.
public final class PhotosServer {
  private PhotosServer() {}

  public static void main(String[] arguments) throws InterruptedException {
    Map<Setting, String> options =
        Map.of(
            Setting.DATA, arguments[0],
            Setting.PORT, "0",
            Setting.RATE_LIMIT, "1000000",
            Setting.ROLES, "api,relay,jobs,photos",
            Setting.PHOTO_HOSTS, "127.0.0.1",
            Setting.LOG_LEVEL, "warn");
    Configuration configuration =
        Configuration.of(Settings.read(options, Map.of(), Optional.empty()));
    System.exit(Torg.start(configuration, System.err::println).awaitEnd());
  }
}
