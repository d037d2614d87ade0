package dev.torg.server.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.torg.api.v1.Offer;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonResponsesTest {
  private final CountedCalls calls = new CountedCalls();

  @AfterEach
  void close() {
    calls.close();
  }

  /// A response and the thread that created it.
  private record Printed(AggregatedHttpResponse response, String thread) {
    String encoding() {
      return response.headers().get(HttpHeaderNames.CONTENT_ENCODING, "");
    }
  }

  private Printed print(String description, String acceptEncoding) throws Exception {
    ServiceRequestContext ctx =
        calls.context(
            HttpRequest.of(
                RequestHeaders.of(
                    HttpMethod.GET, "/", HttpHeaderNames.ACCEPT_ENCODING, acceptEncoding)));
    CompletableFuture<HttpResponse> response = new CompletableFuture<>();
    CompletableFuture<String> thread = response.thenApply(_ -> Thread.currentThread().getName());
    new JsonResponses(1 << 20)
        .print(ctx, Offer.newBuilder().setDescription(description).build(), response);
    // First, since a thread that waits for the response itself may run what depends on it.
    String name = thread.get(30, TimeUnit.SECONDS);
    return new Printed(
        response.get(30, TimeUnit.SECONDS).aggregate().get(30, TimeUnit.SECONDS), name);
  }

  /// Compressing a large response takes longer than printing it, and would delay the other calls of an event loop.
  @Test
  void print_largeAndAcceptedCompressed_isCompressedOnADedicatedThread() throws Exception {
    String text = "x".repeat(100_000);
    Printed printed = print(text, "gzip");
    assertThat(printed.thread()).startsWith("torg-json-");
    assertThat(printed.encoding()).isEqualTo("gzip");
    byte[] body = printed.response().content().array();
    assertThat(body.length).isLessThan(5_000);
    try (var json = new GZIPInputStream(new ByteArrayInputStream(body))) {
      assertThat(new String(json.readAllBytes(), StandardCharsets.UTF_8)).contains(text);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "deflate, br", "gzip;q=0"})
  void print_compressionNotAccepted_isPlain(String acceptEncoding) throws Exception {
    Printed printed = print("x".repeat(100_000), acceptEncoding);
    assertThat(printed.encoding()).isEmpty();
    assertThat(printed.response().contentUtf8()).contains("x".repeat(100_000));
  }

  @Test
  void print_aFewBytes_arePlain() throws Exception {
    assertThat(print("short", "gzip").encoding()).isEmpty();
  }

  @Test
  void print_any_variesByAcceptEncoding() throws Exception {
    assertThat(print("short", "gzip").response().headers().get(HttpHeaderNames.VARY))
        .isEqualTo("accept-encoding");
  }
}
