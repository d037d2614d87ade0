package dev.torg.notifications.http;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.Server;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/// A local server that records requests.
public final class TestEndpoint implements AutoCloseable {
  private final List<AggregatedHttpRequest> requests = new CopyOnWriteArrayList<>();
  private volatile Function<AggregatedHttpRequest, HttpResponse> answer =
      _ -> HttpResponse.of(HttpStatus.OK);
  private final Server server;

  public TestEndpoint() {
    server =
        Server.builder()
            .http(0)
            .service(
                "prefix:/",
                (ctx, request) -> HttpResponse.of(request.aggregate().thenApply(this::answer)))
            .build();
    server.start().join();
  }

  private HttpResponse answer(AggregatedHttpRequest request) {
    requests.add(request);
    return answer.apply(request);
  }

  public void answers(Function<AggregatedHttpRequest, HttpResponse> function) {
    answer = function;
  }

  public void answers(HttpStatus status) {
    answer = _ -> HttpResponse.of(status);
  }

  public String url() {
    return "http://127.0.0.1:" + server.activeLocalPort();
  }

  public List<AggregatedHttpRequest> requests() {
    return requests;
  }

  /// Does not wait: a server takes two seconds to stop.
  @Override
  public void close() {
    var _ = server.closeAsync();
  }
}
