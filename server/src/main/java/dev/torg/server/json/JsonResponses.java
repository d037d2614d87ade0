package dev.torg.server.json;

import com.google.protobuf.MessageLite;
import com.google.protobuf.MessageOrBuilder;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.torg.server.problem.HttpProblems;
import dev.torg.server.quota.CallsInFlight;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Prints and compresses responses as JSON, each bounded in bytes, and never on the thread that completes them: that
/// belongs to a coalescer whose batches other calls wait for. A small response is printed on its call's event loop, a
/// large one on a few dedicated threads, so that large ones delay only each other.
public final class JsonResponses {
  /// In protobuf; prints in less than a millisecond.
  private static final int SMALL_BYTES = 16 * 1024;

  /// Less does not become noticeably smaller.
  private static final int MIN_COMPRESSED_BYTES = 1024;

  private static final Executor LARGE = threads();

  private final int maxBytes;

  public JsonResponses(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  private static Executor threads() {
    int count = Math.max(2, Runtime.getRuntime().availableProcessors());
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            count,
            count,
            10,
            TimeUnit.SECONDS,
            // What waits here is bounded: its memory was acquired before.
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("torg-json-", 0).factory());
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  void print(
      ServiceRequestContext ctx,
      MessageOrBuilder message,
      CompletableFuture<HttpResponse> response) {
    if (isLarge(message)) {
      LARGE.execute(() -> response.complete(printed(ctx, message)));
    } else if (ctx.eventLoop().inEventLoop()) {
      response.complete(printed(ctx, message));
    } else {
      ctx.eventLoop().execute(() -> response.complete(printed(ctx, message)));
    }
  }

  private HttpResponse printed(ServiceRequestContext ctx, MessageOrBuilder message) {
    try {
      byte[] json = ProtoJson.print(message, maxBytes);
      boolean compressed =
          json.length >= MIN_COMPRESSED_BYTES && GzipEncoding.isAccepted(ctx.request().headers());
      byte[] body = compressed ? GzipEncoding.compress(json) : json;
      if (body.length > SMALL_BYTES) {
        CallsInFlight.of(ctx).acquireResponseBytes(ctx, body.length);
      }
      return HttpResponse.of(headers(compressed), HttpData.wrap(body));
    } catch (RuntimeException e) {
      return HttpProblems.respond(ctx, e);
    }
  }

  private static ResponseHeaders headers(boolean compressed) {
    ResponseHeadersBuilder headers =
        ResponseHeaders.builder(HttpStatus.OK)
            .contentType(MediaType.JSON_UTF_8)
            .set(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT_ENCODING.toString());
    if (compressed) {
      headers.set(HttpHeaderNames.CONTENT_ENCODING, GzipEncoding.NAME);
    }
    return headers.build();
  }

  private static boolean isLarge(MessageOrBuilder message) {
    return message instanceof MessageLite proto && proto.getSerializedSize() > SMALL_BYTES;
  }
}
