package dev.torg.bench.promotions;

import dev.torg.bench.process.BenchServer;
import dev.torg.platform.webhook.WebhookSignature;
import dev.torg.server.config.Setting;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// The server of the benchmark: all of Torg but the relay, whose work would be a part of neither way, and the plain service
/// on a port of its own.
public final class PromotionsServer {
  /// Signs the webhooks of the benchmark.
  static final String SECRET =
      WebhookSignature.secret(
          "the benchmark's webhook secret, 32".getBytes(StandardCharsets.US_ASCII));

  private PromotionsServer() {}

  public static void main(String[] arguments) throws InterruptedException {
    BenchServer.serve(
        arguments,
        Map.of(Setting.ROLES, "api,jobs", Setting.SANDBOX_WEBHOOK_SECRET, SECRET),
        (url, outbox) -> {
          PlainPayments.start(url, outbox, Path.of(arguments[0]));
          return List.of();
        });
  }
}
