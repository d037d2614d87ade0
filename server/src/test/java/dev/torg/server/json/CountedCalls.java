package dev.torg.server.json;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.torg.server.quota.CallsInFlight;
import dev.torg.server.quota.Quotas;
import dev.torg.server.quota.Refusals;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/// Contexts of calls that are counted as a server counts them.
final class CountedCalls implements AutoCloseable {
  private final CallsInFlight calls =
      new CallsInFlight(
          Quotas.defaults(), new Refusals(new SimpleMeterRegistry()), System::nanoTime);

  ServiceRequestContext context(HttpRequest request) {
    ServiceRequestContext ctx = ServiceRequestContext.of(request);
    calls.enter(ctx);
    return ctx;
  }

  @Override
  public void close() {
    calls.close();
  }
}
