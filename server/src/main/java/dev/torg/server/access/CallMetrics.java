package dev.torg.server.access;

import dev.torg.platform.Failure;
import io.grpc.Status;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The duration and outcome of calls: `torg.calls` by method and outcome (OK, a kind of failure,
/// INTERNAL or CANCELLED). All timers are created at the start, so a call costs two reads of the
/// clock and a few atomic adds.
public final class CallMetrics {
  private static final String OK = "OK";
  private static final String CANCELLED = "CANCELLED";
  private static final String INTERNAL = "INTERNAL";

  private final Map<String, Method> methods;

  public CallMetrics(MeterRegistry registry, Collection<String> names) {
    this.methods =
        names.stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    Function.identity(), name -> new Method(registry, name)));
  }

  Method of(String name) {
    Method method = methods.get(name);
    if (method == null) {
      throw new IllegalStateException("no timers for " + name);
    }
    return method;
  }

  static final class Method {
    private final Timer ok;
    private final Timer cancelled;
    private final Timer internal;
    private final Map<Failure.Kind, Timer> failed = new EnumMap<>(Failure.Kind.class);

    private Method(MeterRegistry registry, String name) {
      this.ok = timer(registry, name, OK);
      this.cancelled = timer(registry, name, CANCELLED);
      this.internal = timer(registry, name, INTERNAL);
      for (Failure.Kind kind : Failure.Kind.values()) {
        failed.put(kind, timer(registry, name, kind.name()));
      }
    }

    void record(Status status, long nanos) {
      outcome(status).record(nanos, TimeUnit.NANOSECONDS);
    }

    private Timer outcome(Status status) {
      if (status.isOk()) {
        return ok;
      }
      if (status.getCause() instanceof Failure failure) {
        return failed.getOrDefault(failure.kind(), internal);
      }
      return status.getCode() == Status.Code.CANCELLED ? cancelled : internal;
    }

    private static Timer timer(MeterRegistry registry, String method, String outcome) {
      return Timer.builder("torg.calls")
          .description("Calls by method and outcome")
          .tag("method", method)
          .tag("outcome", outcome)
          .register(registry);
    }
  }
}
