package dev.torg.server.access;

import com.linecorp.armeria.common.util.TimeoutMode;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.MethodDescriptor.MethodType;
import io.netty.util.AsciiString;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// How long a call may take, whatever its client requests. The server's request timeout enforces it.
///
/// - unary: the configured timeout from its start, or less if `grpc-timeout` requests less;
/// - stream of responses: the request must arrive within the timeout, the responses may take any time;
/// - stream of requests: the first message must arrive within the timeout; from then on the service limits how
///   long it waits for its sender;
/// - both: every message must arrive within the timeout of the one before.
final class CallDeadline {
  private static final AsciiString GRPC_TIMEOUT = AsciiString.cached("grpc-timeout");
  private static final Pattern TIMEOUT = Pattern.compile("([0-9]{1,8})([HMSmun])");

  private final ServiceRequestContext ctx;
  private final MethodType type;
  private final Duration timeout;

  private CallDeadline(ServiceRequestContext ctx, MethodType type, Duration timeout) {
    this.ctx = ctx;
    this.type = type;
    this.timeout = timeout;
  }

  static CallDeadline start(ServiceRequestContext ctx, MethodType type, Duration timeout) {
    CallDeadline deadline = new CallDeadline(ctx, type, timeout);
    String header = ctx.request().headers().get(GRPC_TIMEOUT);
    if (header != null && type == MethodType.UNARY) {
      parse(header)
          .filter(less -> less.compareTo(timeout) < 0)
          .ifPresent(less -> ctx.setRequestTimeout(TimeoutMode.SET_FROM_START, less));
    }
    return deadline;
  }

  void messageReceived() {
    switch (type) {
      case UNARY, UNKNOWN -> {}
      case SERVER_STREAMING, CLIENT_STREAMING -> ctx.clearRequestTimeout();
      case BIDI_STREAMING -> ctx.setRequestTimeout(TimeoutMode.SET_FROM_NOW, timeout);
    }
  }

  /// The value of `grpc-timeout`, at least a millisecond; empty when it cannot be parsed.
  static Optional<Duration> parse(String text) {
    Matcher parts = TIMEOUT.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    long amount = Long.parseLong(parts.group(1));
    Duration requested =
        switch (parts.group(2)) {
          case "H" -> Duration.ofHours(amount);
          case "M" -> Duration.ofMinutes(amount);
          case "S" -> Duration.ofSeconds(amount);
          case "m" -> Duration.ofMillis(amount);
          case "u" -> Duration.ofNanos(amount * 1_000);
          default -> Duration.ofNanos(amount);
        };
    Duration min = Duration.ofMillis(1);
    return Optional.of(requested.compareTo(min) < 0 ? min : requested);
  }
}
