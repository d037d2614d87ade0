package dev.torg.server;

import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import com.linecorp.armeria.common.RequestContext;

/// `%requestId` in log patterns: from the MDC, else from the request that the logging thread
/// handles. Nothing is put into the MDC per request, so a request that logs nothing has no cost.
public final class RequestIdConverter extends ClassicConverter {
  static final String KEY = "requestId";
  private static final String NONE = "-";

  /// Armeria logs while its classes are being loaded; querying it for a request at that time would
  /// break the loading.
  private static volatile boolean serving;

  static void serving() {
    serving = true;
  }

  @Override
  public String convert(ILoggingEvent event) {
    String fromMdc = event.getMDCPropertyMap().get(KEY);
    if (fromMdc != null) {
      return fromMdc;
    }
    RequestContext ctx = serving ? RequestContext.currentOrNull() : null;
    return ctx == null ? NONE : ctx.id().text();
  }
}
