package dev.torg.bench.money;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.torg.bench.process.ApiClient;
import dev.torg.platform.Failure;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A client of two processes that may die: a request without a response is repeated, at the other one, until there is a
/// response. Requests are safe to repeat.
final class SellerClient {
  private static final Duration RETRY_TIMEOUT = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final List<ApiClient> processes;
  private int next;

  /// @param processes the same caller at each of them
  SellerClient(List<ApiClient> processes, int first) {
    this.processes = processes;
    this.next = first;
  }

  JsonNode get(String path) {
    return send("GET", path, null);
  }

  JsonNode post(String path, JsonNode body) {
    return send("POST", path, body);
  }

  JsonNode post(String path) {
    return send("POST", path, ApiClient.JSON.createObjectNode());
  }

  JsonNode put(String path, JsonNode body) {
    return send("PUT", path, body);
  }

  /// Empty if it is refused: the state of the offer or payment does not allow it.
  Optional<JsonNode> tryPost(String path, ObjectNode body) {
    try {
      return Optional.of(post(path, body));
    } catch (Failure failure) {
      if (failure.kind() == Failure.Kind.CONFLICT) {
        return Optional.empty();
      }
      throw failure;
    }
  }

  private JsonNode send(String method, String path, @Nullable JsonNode body) {
    long deadline = System.nanoTime() + RETRY_TIMEOUT.toNanos();
    while (true) {
      try {
        return processes.get(next++ % processes.size()).send(method, path, body, Map.of());
      } catch (UncheckedIOException | Failure failure) {
        if (!isRepeatable(failure) || System.nanoTime() > deadline) {
          throw failure;
        }
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  private static boolean isRepeatable(RuntimeException failure) {
    return switch (failure) {
      case UncheckedIOException _ -> true;
      case Failure refused ->
          refused.kind() == Failure.Kind.UNAVAILABLE || refused.kind() == Failure.Kind.EXHAUSTED;
      default -> false;
    };
  }
}
