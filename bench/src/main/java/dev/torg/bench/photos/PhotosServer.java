package dev.torg.bench.photos;

import dev.torg.bench.process.BenchServer;
import dev.torg.server.config.Setting;
import java.util.List;
import java.util.Map;

/// The server of the benchmark: all that photos need, and photos from this machine allowed.
public final class PhotosServer {
  private PhotosServer() {}

  public static void main(String[] arguments) throws InterruptedException {
    BenchServer.serve(
        arguments,
        Map.of(Setting.ROLES, "api,relay,jobs,photos", Setting.PHOTO_HOSTS, "127.0.0.1"),
        (url, outbox) -> List.of());
  }
}
