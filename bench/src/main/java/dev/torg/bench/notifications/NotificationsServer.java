package dev.torg.bench.notifications;

import dev.torg.bench.process.BenchServer;
import dev.torg.bench.process.TorgProcess;
import dev.torg.server.config.Setting;
import dev.torg.server.route.RpcBinding;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// The server of the benchmark: all of Torg, with the plain service on the same port, and with a local Firebase.
public final class NotificationsServer {
  /// JVM options that name the local Firebase.
  private static final String CREDENTIALS = "torg.bench.fcm-credentials";

  private static final String URL = "torg.bench.fcm-url";

  private NotificationsServer() {}

  static TorgProcess start(Path data, Path fcmCredentials, String fcmUrl) {
    return TorgProcess.of(
        NotificationsServer.class,
        data,
        List.of(
            "-D%s=%s".formatted(CREDENTIALS, fcmCredentials), "-D%s=%s".formatted(URL, fcmUrl)));
  }

  public static void main(String[] arguments) throws InterruptedException {
    BenchServer.serve(
        arguments,
        Map.of(
            Setting.PUSH_FCM_CREDENTIALS,
            System.getProperty(CREDENTIALS, ""),
            Setting.PUSH_FCM_URL,
            System.getProperty(URL, "")),
        (url, outbox) -> List.of(RpcBinding.blocking(new PlainNotifications(url, outbox))));
  }
}
