package dev.torg.server;

import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import com.linecorp.armeria.common.RequestContext;

/// `%requestId` in log patterns: from the MDC, else from the request that the logging thread works on. Nothing is put
/// into the MDC per request, so a request that logs nothing pays nothing.
public final class RequestIdConverter extends ClassicConverter {
  private static final String KEY = "requestId";

  @Override
  public String convert(ILoggingEvent event) {
    String given = event.getMDCPropertyMap().get(KEY);
    if (given != null) {
      return given;
    }
    RequestContext ctx = RequestContext.currentOrNull();
    return ctx == null ? "-" : ctx.id().text();
  }
}
