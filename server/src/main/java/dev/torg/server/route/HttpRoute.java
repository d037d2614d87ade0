package dev.torg.server.route;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.server.HttpService;
import dev.torg.api.v1.CallerKind;
import java.util.List;

/// A plain HTTP service: uploads, event streams, webhooks, pages. The table of routes corresponds to the .proto
/// files of RPCs: access control and the OpenAPI document are derived from it.
///
/// `path` is `/photos/{photoId}/{size}` or `prefix:/pages`; addresses below a prefix are not in the OpenAPI
/// document. A streaming service has no timeout (but is reset when nothing of its response is read for the
/// stall timeout), no limit on its body and no compression; an event stream (server-sent events) is one that
/// ends when its client disconnects, so a stopping server cuts it instead of waiting. An upload is a streaming
/// service that accepts `multipart/form-data` and leaves every other body to an RPC of the same address. The
/// service finds its caller with [dev.torg.server.access.HttpAccessDecorator#caller]; what it throws becomes a
/// problem. It runs on the event loop and uses `ctx.blockingTaskExecutor()`, virtual threads here, to block.
public record HttpRoute(
    HttpMethod method,
    String path,
    List<CallerKind> callers,
    RouteDoc doc,
    HttpService service,
    boolean streaming,
    boolean eventStream,
    boolean upload) {
  public static final String PREFIX = "prefix:";

  public HttpRoute {
    callers = List.copyOf(callers);
  }

  public HttpRoute(
      HttpMethod method, String path, List<CallerKind> callers, RouteDoc doc, HttpService service) {
    this(method, path, callers, doc, service, false, false, false);
  }

  public HttpRoute asStream() {
    return new HttpRoute(method, path, callers, doc, service, true, false, false);
  }

  public HttpRoute asUpload() {
    return new HttpRoute(method, path, callers, doc, service, true, false, true);
  }

  /// A stream of server-sent events, which a client resumes with `Last-Event-ID`.
  public HttpRoute asEventStream() {
    return new HttpRoute(method, path, callers, doc, service, true, true, false);
  }

  public String name() {
    return method + " " + path;
  }
}
