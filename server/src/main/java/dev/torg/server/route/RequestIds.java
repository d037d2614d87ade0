package dev.torg.server.route;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpHeaders;
import com.linecorp.armeria.common.RequestId;
import io.netty.util.AsciiString;
import org.jspecify.annotations.Nullable;

/// The id that identifies a request in responses, logs and problem reports: the caller's `X-Request-Id` when it
/// is well-formed, else a random one.
public final class RequestIds {
  public static final AsciiString HEADER = HttpHeaderNames.of("x-request-id");

  /// Long enough for a UUID with a prefix, short enough for a log line.
  private static final int MAX_LENGTH = 64;

  private RequestIds() {}

  public static String of(@Nullable HttpHeaders headers) {
    return from(headers).text();
  }

  public static RequestId from(@Nullable HttpHeaders headers) {
    String header = headers == null ? null : headers.get(HEADER);
    return header != null && isSane(header) ? new SuppliedId(header) : RequestId.random();
  }

  private static boolean isSane(String id) {
    return !id.isEmpty() && id.length() <= MAX_LENGTH && id.chars().allMatch(RequestIds::isSane);
  }

  private static boolean isSane(int c) {
    return (c >= '0' && c <= '9')
        || (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || c == '-'
        || c == '_'
        || c == '.'
        || c == ':';
  }

  private record SuppliedId(String text) implements RequestId {}
}
