package dev.torg.server.feed;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.torg.api.v1.CallerKind;
import dev.torg.api.v1.FeedTask;
import dev.torg.offers.FeedFormat;
import dev.torg.offers.FeedUploadRequest;
import dev.torg.offers.Feeds;
import dev.torg.platform.Caller;
import dev.torg.platform.Failure;
import dev.torg.server.access.HttpAccessDecorator;
import dev.torg.server.json.ProtoJson;
import dev.torg.server.route.HttpRoute;
import dev.torg.server.route.RouteDoc;
import dev.torg.server.upload.RefusedBodies;
import dev.torg.server.upload.StallDetectingInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/// `POST /v1/feeds/{seller}?taskId=&format=ndjson|csv|yml&complete=true&force=false`: the body is the file,
/// gzipped or not. It is read no faster than its items are written, and the response is the task when it ends.
public final class FeedRoute {
  private static final List<String> PLAIN = List.of("", "identity", "gzip", "x-gzip");

  /// A sender that delivers nothing for this long is considered gone.
  private static final Duration STALL_TIMEOUT = Duration.ofMinutes(1);

  private static final RouteDoc DOC =
      RouteDoc.of("uploadFeed", "Feeds", "Uploads a feed file")
          .describedAs(
              "The body is the file, plain or gzipped. It is read as it arrives; the response is"
                  + " sent when every item has been processed. Items that fail do not fail the"
                  + " upload: list them with `listFeedErrors`.")
          .withQuery(
              "taskId",
              "string",
              true,
              "A positive number, higher than that of the seller's previous feeds.")
          .withQueryEnum("format", true, List.of("ndjson", "csv", "yml"), "The format of the file.")
          .withQuery(
              "complete",
              "boolean",
              false,
              "Whether the file holds all offers of the seller: offers that it does not contain are"
                  + " removed at its end. Default true. With false further uploads may follow, then"
                  + " `finishFeed`.")
          .withQuery(
              "force",
              "boolean",
              false,
              "Removes offers even if the feed is empty or would remove a large part of them."
                  + " Default false.")
          .accepting("application/octet-stream")
          .returning(FeedTask.getDescriptor())
          .failingWith(
              "feed.parameter",
              "feed.task-id",
              "feed.format",
              "feed.encoding",
              "seller.not-you",
              "seller.anonymous",
              "feed.task-old",
              "feed.task-over",
              "feed.failed",
              "feed.no-such-task",
              "feed.too-many",
              "feed.busy",
              "feed.cut-off");

  private static final Set<String> PARAMETERS = Set.of("taskId", "format", "complete", "force");

  private final Feeds feeds;
  private final RefusedBodies refused = new RefusedBodies();

  public FeedRoute(Feeds feeds) {
    this.feeds = feeds;
  }

  public HttpRoute route() {
    return new HttpRoute(
            HttpMethod.POST, "/v1/feeds/{seller}", List.of(CallerKind.USER), DOC, this::serve)
        .asStream();
  }

  private HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
    Caller caller = HttpAccessDecorator.caller(ctx).orElseThrow();
    FeedUploadRequest feed = feed(ctx, caller);
    requireKnownEncoding(request);
    StallDetectingInputStream body = StallDetectingInputStream.of(ctx, request, STALL_TIMEOUT);
    return HttpResponse.of(
        CompletableFuture.supplyAsync(
            () -> respond(caller, feed, body), ctx.blockingTaskExecutor()));
  }

  private HttpResponse respond(
      Caller caller, FeedUploadRequest feed, StallDetectingInputStream body) {
    try (body) {
      return HttpResponse.of(MediaType.JSON_UTF_8, ProtoJson.print(upload(caller, feed, body)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private FeedTask upload(Caller caller, FeedUploadRequest feed, StallDetectingInputStream body) {
    try {
      return feeds.upload(caller, feed, body);
    } catch (Failure failure) {
      refused.drain(body);
      throw failure;
    }
  }

  private static FeedUploadRequest feed(ServiceRequestContext ctx, Caller caller) {
    requireKnownParameters(ctx.queryParams());
    return new FeedUploadRequest(
        Feeds.seller(ctx.pathParam("seller"), caller),
        taskId(parameter(ctx, "taskId", "")),
        FeedFormat.ofFile(parameter(ctx, "format", "")),
        yesOrNo(ctx, "complete", true),
        yesOrNo(ctx, "force", false));
  }

  /// A misspelled `complete` would be ignored and remove offers.
  private static void requireKnownParameters(QueryParams query) {
    for (String name : query.names()) {
      boolean known = PARAMETERS.contains(name);
      if (!known || query.getAll(name).size() > 1) {
        String problem = known ? "is there twice" : "is not known";
        throw Failure.invalid("feed.parameter", "bad parameter", name, problem);
      }
    }
  }

  private static String parameter(ServiceRequestContext ctx, String name, String fallback) {
    String value = ctx.queryParam(name);
    return value == null || value.isEmpty() ? fallback : value;
  }

  private static long taskId(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw Failure.invalid("feed.task-id", "bad task id", "taskId", "must be a positive number");
    }
  }

  private static boolean yesOrNo(ServiceRequestContext ctx, String name, boolean fallback) {
    return switch (parameter(ctx, name, Boolean.toString(fallback))) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw Failure.invalid("feed.parameter", "bad parameter", name, "must be true or false");
    };
  }

  /// The file's magic number shows whether it is gzipped; other compressions are not supported.
  private static void requireKnownEncoding(HttpRequest request) {
    String encoding = request.headers().get(HttpHeaderNames.CONTENT_ENCODING, "");
    if (!PLAIN.contains(encoding)) {
      throw Failure.invalid(
          "feed.encoding", "bad encoding", "Content-Encoding", "must be gzip or nothing");
    }
  }
}
