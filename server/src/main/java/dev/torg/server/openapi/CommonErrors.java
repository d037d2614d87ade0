package dev.torg.server.openapi;

import com.linecorp.armeria.common.HttpMethod;
import dev.torg.api.v1.CallerKind;
import dev.torg.server.access.CallerPolicy;
import java.util.ArrayList;
import java.util.List;

/// The errors that any operation can return: those of access, limits, reading the request and the
/// database.
final class CommonErrors {
  /// Errors of access control. A token that is not required must still be valid if it is sent.
  private static final List<String> ACCESS =
      List.of(
          "request.malformed",
          "request.too-large",
          "subject.malformed",
          "token.malformed",
          "token.invalid",
          "token.expired",
          "role.missing",
          "rate.exceeded",
          "rate.bad-tokens",
          "calls.too-many",
          "calls.busy",
          "token.key-unknown",
          "server.stopping",
          "server.unavailable",
          "request.timeout",
          "database.failed",
          "internal");

  private static final List<String> RPC =
      List.of(
          "request.encoding",
          "requests.too-many",
          "requests.busy",
          "response.too-large",
          "responses.too-many",
          "responses.busy",
          "idempotency-key.malformed");

  private static final List<String> WRITES =
      List.of("event.too-large", "row.locked", "commit.unknown");

  private CommonErrors() {}

  static List<String> ofRpc(CallerPolicy callers, HttpMethod method, boolean creates) {
    List<String> codes = new ArrayList<>(ofRoute(callers, method));
    codes.addAll(RPC);
    if (creates) {
      codes.add("idempotency-key.reused");
    }
    return codes;
  }

  static List<String> ofRoute(CallerPolicy callers, HttpMethod method) {
    List<String> codes = new ArrayList<>(ACCESS);
    if (callers.needsToken()) {
      codes.add("token.missing");
    }
    if (callers.declared().contains(CallerKind.USER)) {
      codes.add("login.required");
    }
    if (method != HttpMethod.GET && method != HttpMethod.HEAD) {
      codes.addAll(WRITES);
    }
    return codes;
  }
}
