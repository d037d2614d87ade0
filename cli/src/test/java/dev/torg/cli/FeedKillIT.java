package dev.torg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.torg.bench.process.ApiClient;
import dev.torg.bench.process.TorgProcess;
import dev.torg.platform.Failure;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A feed whose server is killed during the upload. `torg verify feed` is the large form.
class FeedKillIT {
  private static final int ITEMS = 12_000;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final String UPLOAD = "/v1/feeds/me?taskId=1&format=ndjson";

  @TempDir Path directory;

  @Test
  void serverKilledInTheMiddle_feedUploadedAgain_isExact() {
    Path data = directory.resolve("data");
    String feed = feed();
    try (TorgProcess torg = TorgProcess.up(data, List.of());
        ApiClient anonymous = new ApiClient(torg.address())) {
      ApiClient seller = anonymous.loggedInAs("fed");
      CompletableFuture<JsonNode> upload =
          CompletableFuture.supplyAsync(() -> seller.upload(UPLOAD, BodyPublishers.ofString(feed)));
      await().atMost(TIMEOUT).pollDelay(Duration.ZERO).until(() -> created(seller) > 500);
      torg.killAll();
      assertThat(upload.exceptionNow()).isNotNull();
    }
    try (TorgProcess torg = TorgProcess.up(data, List.of());
        ApiClient anonymous = new ApiClient(torg.address())) {
      ApiClient seller = anonymous.loggedInAs("fed");
      assertThat(created(seller)).isBetween(501, ITEMS - 1);
      JsonNode task = seller.upload(UPLOAD, BodyPublishers.ofString(feed));
      assertThat(task.path("status").asText()).isEqualTo("FINISHED");
      assertThat(task.path("created").asInt()).isEqualTo(ITEMS);
      assertThat(seller.get("/v1/sellers/me/presets").at("/counts/ACTIVE").asInt())
          .isEqualTo(ITEMS);
    }
  }

  private static int created(ApiClient seller) {
    try {
      return seller.get("/v1/feeds/me/tasks/1").path("created").asInt();
    } catch (Failure notThereYet) {
      return 0;
    }
  }

  private static String feed() {
    return IntStream.range(0, ITEMS)
        .mapToObj(
            i ->
                "{\"externalId\":\"%d\",\"category\":\"electronics\",\"title\":\"Item %d\"}\n"
                    .formatted(i, i))
        .collect(Collectors.joining());
  }
}
