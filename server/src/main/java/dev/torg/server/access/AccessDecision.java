package dev.torg.server.access;

import dev.torg.platform.Caller;
import org.jspecify.annotations.Nullable;

/// What was decided about a call from its headers: let in as a caller, as nobody in particular, or refused.
record AccessDecision(@Nullable Caller caller, @Nullable RuntimeException refusal) {
  static AccessDecision admitted(@Nullable Caller caller) {
    return new AccessDecision(caller, null);
  }

  static AccessDecision refused(RuntimeException refusal) {
    return new AccessDecision(null, refusal);
  }

  @Nullable Caller callerOrThrow() {
    if (refusal != null) {
      throw refusal;
    }
    return caller;
  }
}
