package dev.torg.server.access;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import dev.torg.platform.Caller;
import io.netty.util.AttributeKey;
import java.util.Optional;

/// Stands before a plain HTTP service. The service finds the admitted caller with [#caller].
public final class RouteGate extends SimpleDecoratingHttpService {
  private static final AttributeKey<Caller> CALLER =
      AttributeKey.valueOf(RouteGate.class, "CALLER");

  private final Gate gate;
  private final Callers callers;

  public RouteGate(HttpService service, Gate gate, Callers callers) {
    super(service);
    this.gate = gate;
    this.callers = callers;
  }

  @Override
  public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) throws Exception {
    Caller caller = gate.admit(ctx, callers);
    if (caller != null) {
      ctx.setAttr(CALLER, caller);
    }
    return unwrap().serve(ctx, request);
  }

  public static Optional<Caller> caller(ServiceRequestContext ctx) {
    return Optional.ofNullable(ctx.attr(CALLER));
  }
}
