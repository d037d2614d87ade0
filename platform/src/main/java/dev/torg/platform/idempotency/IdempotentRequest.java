package dev.torg.platform.idempotency;

import com.google.common.hash.HashCode;
import com.google.common.hash.Hashing;
import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import java.time.Instant;

/// A request with an idempotency key: the home it writes to, the caller and the method, the key, the body, and
/// the time.
public record IdempotentRequest(
    Home home, String caller, String method, String key, HashCode bodyHash, Instant at) {
  /// Long enough for a UUID, a URL or an order number; not for data.
  public static final int MAX_KEY_LENGTH = 200;

  public IdempotentRequest {
    if (key.isEmpty() || key.length() > MAX_KEY_LENGTH || key.indexOf('\0') >= 0) {
      throw Failure.invalid(
          "idempotency-key.malformed",
          "bad idempotency key",
          "idempotencyKey",
          "must have 1 to " + MAX_KEY_LENGTH + " characters");
    }
  }

  public static IdempotentRequest of(
      Home home, String caller, String method, String key, byte[] body, Instant at) {
    return new IdempotentRequest(home, caller, method, key, Hashing.sha256().hashBytes(body), at);
  }

  Scope scope() {
    return new Scope(home, caller, method, key);
  }

  /// What makes a key unique.
  record Scope(Home home, String caller, String method, String key) {}
}
