package dev.torg.server;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.logging.RequestLog;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.torg.server.quota.CallsInFlight;
import dev.torg.server.route.RequestIds;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Wraps every request: counts it among the calls in flight, puts its id into the response and, when the logger
/// `torg.access` is at DEBUG, logs one line about it.
final class RequestLogDecorator implements DecoratingHttpServiceFunction {
  private static final Logger LOG = LoggerFactory.getLogger("torg.access");

  private final CallsInFlight inFlight;

  RequestLogDecorator(CallsInFlight inFlight) {
    this.inFlight = inFlight;
  }

  @Override
  public HttpResponse serve(HttpService service, ServiceRequestContext ctx, HttpRequest request)
      throws Exception {
    if (!inFlight.enter(ctx)) {
      return HttpResponse.of(HttpStatus.TOO_MANY_REQUESTS);
    }
    ctx.setAdditionalResponseHeader(RequestIds.HEADER, ctx.id().text());
    if (LOG.isDebugEnabled()) {
      ctx.log().whenComplete().thenAccept(RequestLogDecorator::write);
    }
    return service.serve(ctx, request);
  }

  private static void write(RequestLog log) {
    ServiceRequestContext ctx = (ServiceRequestContext) log.context();
    String grpcStatus = log.responseTrailers().get("grpc-status");
    LOG.atDebug()
        .addKeyValue("requestId", ctx.id().text())
        .addKeyValue("method", ctx.method())
        .addKeyValue("path", ctx.path())
        .addKeyValue("status", log.responseHeaders().status().code())
        .addKeyValue("grpcStatus", grpcStatus == null ? "-" : grpcStatus)
        .addKeyValue("bytes", log.responseLength())
        .addKeyValue("micros", log.totalDurationNanos() / 1_000)
        .addKeyValue("address", ctx.clientAddress().getHostAddress())
        .addKeyValue("agent", String.valueOf(log.requestHeaders().get(HttpHeaderNames.USER_AGENT)))
        .log("request");
  }
}
