package dev.torg.bench.feed;

import dev.torg.server.Rpc;
import dev.torg.server.config.Configuration;
import dev.torg.server.config.Setting;
import dev.torg.server.config.Settings;
import dev.torg.server.run.Torg;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The server of the benchmark: all of Torg, alerts included, with the plain way on the same port.
public final class FeedServer {
  private FeedServer() {}

  public static void main(String[] arguments) throws InterruptedException {
    Map<Setting, String> options =
        Map.of(
            Setting.DATA, arguments[0],
            Setting.PORT, "0",
            Setting.RATE_LIMIT, "1000000",
            Setting.LOG_LEVEL, "warn");
    Configuration configuration =
        Configuration.of(Settings.read(options, Map.of(), Optional.empty()));
    Torg torg =
        Torg.start(
            configuration,
            System.err::println,
            (url, outbox) -> List.of(Rpc.blocking(new PlainFeed(url, outbox))));
    System.exit(torg.awaitEnd());
  }
}
