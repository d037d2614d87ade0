package dev.torg.bench.promotions;

import com.fasterxml.jackson.databind.JsonNode;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.Server;
import dev.torg.bench.process.ApiClient;
import dev.torg.platform.db.Database;
import dev.torg.platform.outbox.Outbox;
import dev.torg.platform.webhook.WebhookSignature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/// The baseline: webhooks received as most services do it. Each is verified and applied in a transaction of its own on one
/// of 32 connections, whose statements are sent one by one, and then acknowledged.
final class PlainPayments {
  private static final int CONNECTIONS = 32;

  private final Database database;
  private final PlainApplication application;
  private final WebhookSignature signature = new WebhookSignature(PromotionsServer.SECRET);

  private PlainPayments(Database database, Outbox outbox) {
    this.database = database;
    this.application = new PlainApplication(outbox);
  }

  /// Writes the port into a file of the data directory.
  static void start(String url, Outbox outbox, Path data) {
    PlainPayments plain = new PlainPayments(Database.connect(url, CONNECTIONS), outbox);
    Server server =
        Server.builder()
            .http(0)
            .service(
                "/webhook",
                (ctx, request) ->
                    HttpResponse.of(
                        request
                            .aggregate()
                            .thenApplyAsync(plain::serve, ctx.blockingTaskExecutor())))
            .build();
    server.start().join();
    try {
      Files.writeString(portFile(data), Integer.toString(server.activeLocalPort()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Path portFile(Path data) {
    return data.resolve("plain.port");
  }

  private HttpResponse serve(AggregatedHttpRequest request) {
    byte[] body = request.content().array();
    boolean isValid =
        signature.isValid(
            request.headers().get(WebhookSignature.ID_HEADER, ""),
            request.headers().get(WebhookSignature.TIMESTAMP_HEADER, ""),
            body,
            request.headers().get(WebhookSignature.SIGNATURE_HEADER, ""),
            Instant.now());
    if (!isValid) {
      return HttpResponse.of(HttpStatus.UNAUTHORIZED);
    }
    JsonNode event = ApiClient.parse(new String(body, StandardCharsets.UTF_8));
    database.transact(tx -> application.apply(tx, event, body));
    return HttpResponse.of(HttpStatus.OK);
  }
}
