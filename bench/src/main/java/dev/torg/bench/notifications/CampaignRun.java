package dev.torg.bench.notifications;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.torg.bench.process.ApiClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// A campaign through the API, as another system sends it: created, its recipients uploaded as a stream, started, and
/// watched until it is finished.
record CampaignRun(ApiClient service, String id) {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(200);
  private static final Duration TIMEOUT = Duration.ofMinutes(30);

  /// @param written of all recipients, as the API states
  record Result(
      long accepted, long written, Duration upload, Duration write, int polls, String status) {}

  Result run(String prefix, int recipients, String title, String text) {
    ObjectNode campaign = ApiClient.JSON.createObjectNode();
    campaign.put("id", id).put("topic", "news");
    campaign.putObject("audience").putObject("upload");
    campaign.putObject("content").put("title", title).put("text", text);
    service.post("/v1/campaigns", campaign);
    long start = System.nanoTime();
    service.upload(
        "/v1/campaigns/" + id + "/recipients",
        BodyPublishers.ofInputStream(() -> new Lines(prefix, recipients)));
    long uploaded = System.nanoTime();
    service.post("/v1/campaigns/" + id + ":start", ApiClient.JSON.createObjectNode());
    return await(uploaded - start, uploaded);
  }

  private Result await(long uploadNanos, long started) {
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    for (int polls = 1; ; polls++) {
      JsonNode state = service.get("/v1/campaigns/" + id);
      boolean isFinished = state.path("status").asText().equals("FINISHED");
      if (isFinished || System.nanoTime() > deadline) {
        JsonNode progress = state.path("progress");
        return new Result(
            progress.path("accepted").asLong(),
            progress.path("written").asLong(),
            Duration.ofNanos(uploadNanos),
            Duration.ofNanos(System.nanoTime() - started),
            polls,
            state.path("status").asText());
      }
      LockSupport.parkNanos(POLL_INTERVAL.toNanos());
    }
  }

  /// A recipient per line, generated as it is read.
  private static final class Lines extends InputStream {
    private static final int LINES_PER_CHUNK = 1_000;

    private final String prefix;
    private final int count;
    private int next;
    private byte[] chunk = new byte[0];
    private int position;

    Lines(String prefix, int count) {
      this.prefix = prefix;
      this.count = count;
    }

    @Override
    public int read() throws IOException {
      byte[] single = new byte[1];
      return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) {
      if (position == chunk.length && !refill()) {
        return -1;
      }
      int copied = Math.min(length, chunk.length - position);
      System.arraycopy(chunk, position, buffer, offset, copied);
      position += copied;
      return copied;
    }

    private boolean refill() {
      StringBuilder lines = new StringBuilder();
      for (int i = 0; i < LINES_PER_CHUNK && next < count; i++) {
        lines.append('"').append(prefix).append(next++).append("\"\n");
      }
      chunk = lines.toString().getBytes(StandardCharsets.UTF_8);
      position = 0;
      return chunk.length > 0;
    }
  }
}
