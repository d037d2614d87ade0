package dev.torg.server.access;

import dev.torg.platform.Caller;
import org.jspecify.annotations.Nullable;

/// The decision about a call from its headers: admitted as a caller, admitted without an identity, or refused.
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
