package dev.torg.server.sse;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.torg.api.v1.CallerKind;
import dev.torg.notifications.BellEvent;
import dev.torg.notifications.BellStreamService;
import dev.torg.platform.Failure;
import dev.torg.server.access.HttpAccessDecorator;
import dev.torg.server.route.HttpRoute;
import dev.torg.server.route.RouteDoc;
import io.netty.util.AsciiString;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Flow;

/// `GET /v1/notifications/stream`: the caller's bell as server-sent events, from the event after
/// `Last-Event-ID` on, or from now.
public final class NotificationStreamRoute {
  /// Enough for a person's tabs and devices; more indicate a client that does not close its streams.
  private static final int MAX_STREAMS_PER_RECIPIENT = 10;

  private static final AsciiString LAST_EVENT_ID = HttpHeaderNames.of("last-event-id");

  private static final RouteDoc DOC =
      RouteDoc.of("streamNotifications", "Notifications", "Streams new notifications")
          .describedAs(
              "Server-sent events: `notification` carries a Notification, `unread` an UnreadCount. The stream"
                  + " starts at the current time; a client that reconnects with `Last-Event-ID` receives"
                  + " what it missed. Browsers do so by themselves.")
          .withHeader("Last-Event-ID", "The id of the last event received.")
          .returning("text/event-stream")
          .failingWith(
              "stream.last-event-id", "stream.too-many", "streams.too-many", "streams.busy");

  private final BellStreamService bell;
  private final Map<String, Integer> open = new ConcurrentHashMap<>();

  public NotificationStreamRoute(BellStreamService bell) {
    this.bell = bell;
  }

  public HttpRoute route() {
    return new HttpRoute(
            HttpMethod.GET,
            "/v1/notifications/stream",
            List.of(CallerKind.ANY_TOKEN),
            DOC,
            this::serve)
        .asEventStream();
  }

  private HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
    String recipient = HttpAccessDecorator.caller(ctx).orElseThrow().subject();
    Optional<String> lastEventId = Optional.ofNullable(request.headers().get(LAST_EVENT_ID));
    Flow.Publisher<BellEvent> events = bell.stream(recipient, lastEventId);
    acquire(recipient);
    ServerSentEventWriter writer =
        new ServerSentEventWriter(ctx.eventLoop(), () -> release(recipient));
    return HttpResponse.of(
        CompletableFuture.supplyAsync(() -> writer.writing(events), ctx.blockingTaskExecutor()));
  }

  private void acquire(String recipient) {
    open.compute(
        recipient,
        (_, count) -> {
          if (count != null && count == MAX_STREAMS_PER_RECIPIENT) {
            throw Failure.exhausted(
                "stream.too-many", "at most " + MAX_STREAMS_PER_RECIPIENT + " streams a person");
          }
          return count == null ? 1 : count + 1;
        });
  }

  private void release(String recipient) {
    open.computeIfPresent(recipient, (_, count) -> count == 1 ? null : count - 1);
  }
}
