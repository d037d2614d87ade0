package dev.torg.server.sse;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.sse.ServerSentEvent;
import com.linecorp.armeria.common.stream.StreamMessage;
import com.linecorp.armeria.common.stream.StreamWriter;
import com.linecorp.armeria.server.streaming.ServerSentEvents;
import dev.torg.notifications.BellEvent;
import dev.torg.server.json.ProtoJson;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.Flow;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Writes a bell's events to one client. It requests as many as the client accepts, a window at a time, so a
/// slow client costs no memory; while no events occur a comment keeps the connection alive.
final class ServerSentEventWriter implements Flow.Subscriber<BellEvent> {
  /// Below the 30 to 60 seconds after which proxies close an idle connection.
  private static final Duration HEARTBEAT = Duration.ofSeconds(15);

  /// Events that may wait for a slow client: a few kilobytes.
  private static final int WINDOW = 32;

  private static final ResponseHeaders HEADERS =
      ResponseHeaders.builder(HttpStatus.OK)
          .contentType(MediaType.EVENT_STREAM)
          .set(HttpHeaderNames.CACHE_CONTROL, "no-cache, no-store")
          .set(HttpHeaderNames.of("x-accel-buffering"), "no")
          .build();

  private final StreamWriter<ServerSentEvent> events = StreamMessage.streaming();
  private final ScheduledFuture<?> heartbeat;
  private final Runnable ended;
  private volatile Flow.@Nullable Subscription subscription;

  /// Accessed by one publisher's call at a time.
  private int received;

  ServerSentEventWriter(EventLoop loop, Runnable ended) {
    this.ended = ended;
    long interval = HEARTBEAT.toMillis();
    this.heartbeat =
        loop.scheduleAtFixedRate(this::beat, interval, interval, TimeUnit.MILLISECONDS);
    events.whenComplete().whenComplete((_, _) -> end());
  }

  /// The response, once the publisher has accepted the subscription. Waits for the database.
  HttpResponse writing(Flow.Publisher<BellEvent> bell) {
    try {
      bell.subscribe(this);
      return ServerSentEvents.fromPublisher(HEADERS, events);
    } catch (RuntimeException e) {
      events.abort(e);
      throw e;
    }
  }

  @Override
  public void onSubscribe(Flow.Subscription newSubscription) {
    subscription = newSubscription;
    if (events.isComplete()) {
      newSubscription.cancel();
    } else {
      newSubscription.request(WINDOW);
    }
  }

  @Override
  public void onNext(BellEvent event) {
    boolean written = events.tryWrite(written(event));
    if (written && ++received == WINDOW) {
      received = 0;
      events.whenConsumed().thenRun(this::more);
    }
  }

  @Override
  public void onError(Throwable cause) {
    events.close(cause);
  }

  @Override
  public void onComplete() {
    events.close();
  }

  private void more() {
    Flow.Subscription open = subscription;
    if (open != null) {
      open.request(WINDOW);
    }
  }

  /// A client that has not read the pending events needs no heartbeat.
  private void beat() {
    boolean allRead = events.whenConsumed().isDone();
    if (allRead && !events.tryWrite(ServerSentEvent.ofComment("still here"))) {
      heartbeat.cancel(false);
    }
  }

  private void end() {
    heartbeat.cancel(false);
    Flow.Subscription open = subscription;
    if (open != null) {
      open.cancel();
    }
    ended.run();
  }

  private static ServerSentEvent written(BellEvent event) {
    return switch (event) {
      case BellEvent.Entry entry ->
          ServerSentEvent.builder()
              .event("notification")
              .id(entry.id())
              .data(ProtoJson.print(entry.notification()))
              .build();
      case BellEvent.Unread unread ->
          ServerSentEvent.builder()
              .event("unread")
              .id(unread.id())
              .data(ProtoJson.print(unread.count()))
              .build();
    };
  }
}
