package dev.torg.server.access;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.torg.api.v1.IdentityServiceGrpc;
import dev.torg.platform.Caller;
import dev.torg.server.bounds.RequestBounds;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Callers and limits of each RPC, by full method name.
///
/// - `callers`: as declared, for every method.
/// - `probes`: gRPC's health, called by monitoring systems; no limit, and served while the process stops.
/// - `endless`: streams that end when the client disconnects; a stopping server cuts them.
/// - `maxBytes`: of a request on the wire, as declared; in a stream of each message.
public record RpcAccessRules(
    Map<String, CallerPolicy> callers,
    Set<String> probes,
    Set<String> endless,
    Map<String, Integer> maxBytes) {
  private static final String NEW_IDENTITY =
      IdentityServiceGrpc.getCreateAnonymousMethod().getFullMethodName();

  public RpcAccessRules {
    callers = Map.copyOf(callers);
    probes = Set.copyOf(probes);
    endless = Set.copyOf(endless);
    maxBytes = Map.copyOf(maxBytes);
  }

  int maxBytes(String method) {
    return maxBytes.getOrDefault(method, RequestBounds.THIRD_PARTY_MAX_BYTES);
  }

  AccessDecision decide(AccessControl accessControl, ServiceRequestContext ctx, String method) {
    try {
      return AccessDecision.admitted(admit(accessControl, ctx, method));
    } catch (RuntimeException e) {
      return AccessDecision.refused(e);
    }
  }

  private @Nullable Caller admit(
      AccessControl accessControl, ServiceRequestContext ctx, String method) {
    CallerPolicy declared = callers.get(method);
    if (declared == null) {
      throw new IllegalStateException(method + " is served without a declaration of its callers");
    }
    if (probes.contains(method)) {
      if (endless.contains(method)) {
        accessControl.trackProbe(ctx);
        accessControl.allowIdle(ctx);
      }
      return null;
    }
    if (endless.contains(method)) {
      Caller caller = accessControl.authorizeStream(ctx, declared);
      accessControl.allowIdle(ctx);
      return caller;
    }
    Caller caller = accessControl.authorize(ctx, declared);
    if (method.equals(NEW_IDENTITY)) {
      accessControl.admitNewIdentity(ctx);
    }
    return caller;
  }
}
