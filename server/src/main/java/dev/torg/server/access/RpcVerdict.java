package dev.torg.server.access;

import dev.torg.platform.Caller;
import org.jspecify.annotations.Nullable;

/// What was decided about a call from its headers: let in as a caller, as nobody in particular, or refused.
record RpcVerdict(@Nullable Caller caller, @Nullable RuntimeException refusal) {
  static RpcVerdict admitted(@Nullable Caller caller) {
    return new RpcVerdict(caller, null);
  }

  static RpcVerdict refused(RuntimeException refusal) {
    return new RpcVerdict(null, refusal);
  }

  @Nullable Caller callerOrThrow() {
    if (refusal != null) {
      throw refusal;
    }
    return caller;
  }
}
