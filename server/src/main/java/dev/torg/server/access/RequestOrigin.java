package dev.torg.server.access;

import com.google.common.net.HostAndPort;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.RequestHeaders;
import dev.torg.platform.Loopback;
import io.grpc.Context;
import io.netty.util.AsciiString;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Whether a request was made on this machine and addressed to this machine.
///
/// A connection over loopback does not imply that. A web page can have its own name resolve to
/// 127.0.0.1 (DNS rebinding); then the browser sends that name as `Host`. A reverse proxy on this
/// machine forwards requests from other machines; then it adds a header with their origin, unless
/// it is configured not to.
public final class RequestOrigin {
  /// The headers of the call in progress.
  static final Context.Key<RequestHeaders> KEY = Context.key("torg-request-headers");

  private static final List<AsciiString> OF_PROXIES =
      List.of(HttpHeaderNames.FORWARDED, HttpHeaderNames.VIA, HttpHeaderNames.of("x-real-ip"));

  private static final String OF_PROXIES_TOO = "x-forwarded-";

  private RequestOrigin() {}

  /// Whether the call in progress is local.
  public static boolean isLocal() {
    RequestHeaders headers = KEY.get();
    return headers != null && isLocal(headers);
  }

  /// Whether a call with these headers is local.
  public static boolean isLocal(RequestHeaders headers) {
    return isLoopbackName(headers.authority())
        && headers.getAll(HttpHeaderNames.HOST).stream().allMatch(RequestOrigin::isLoopbackName)
        && !isForwarded(headers);
  }

  private static boolean isForwarded(RequestHeaders headers) {
    return OF_PROXIES.stream().anyMatch(headers::contains)
        || headers.names().stream().anyMatch(name -> name.startsWith(OF_PROXIES_TOO));
  }

  /// A name of this machine with any port.
  private static boolean isLoopbackName(@Nullable String authority) {
    if (authority == null) {
      return false;
    }
    try {
      return Loopback.isLoopback(HostAndPort.fromString(authority).getHost());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
