package dev.torg.server.photos;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.torg.photos.Blob;
import dev.torg.server.quota.CallsInFlight;
import java.util.concurrent.Executor;

/// Writes a blob as a response. The next piece is read when the connection has accepted the previous one, so a
/// response that is not read holds two pieces in memory. The blob is closed when the response ends in any way.
public final class BlobResponse {
  private static final int PIECE_BYTES = 32 * 1024;

  /// Of one response at most: a piece that the connection has accepted and could not send yet, and the next
  /// one.
  private static final long HELD_BYTES = 2 * PIECE_BYTES;

  private final Blob blob;
  private final HttpResponseWriter response = HttpResponse.streaming();
  private final Executor blocking;
  private long remaining;

  private BlobResponse(Blob blob, Executor blocking) {
    this.blob = blob;
    this.blocking = blocking;
    this.remaining = blob.length();
  }

  /// Blocks for the first piece.
  public static HttpResponse of(ServiceRequestContext ctx, ResponseHeaders headers, Blob blob) {
    BlobResponse writing = new BlobResponse(blob, ctx.blockingTaskExecutor());
    writing.response.whenComplete().whenComplete((_, _) -> writing.blob.close());
    writing.start(ctx, headers);
    return writing.response;
  }

  private void start(ServiceRequestContext ctx, ResponseHeaders headers) {
    try {
      CallsInFlight.of(ctx).acquireResponseBytes(ctx, Math.min(HELD_BYTES, blob.length()));
      response.write(headers);
      writeNext();
    } catch (RuntimeException e) {
      response.abort(e);
      throw e;
    }
  }

  private void writeNext() {
    byte[] piece = blob.next((int) Math.min(PIECE_BYTES, Math.max(1, remaining)));
    remaining -= piece.length;
    if (piece.length > 0 && !response.tryWrite(HttpData.wrap(piece))) {
      return;
    }
    if (remaining <= 0 || piece.length == 0) {
      response.close();
    } else {
      response.whenConsumed().thenRunAsync(this::writeNextOrAbort, blocking);
    }
  }

  private void writeNextOrAbort() {
    try {
      writeNext();
    } catch (RuntimeException e) {
      response.abort(e);
    }
  }
}
