package dev.torg.platform.idempotency;

import dev.torg.platform.Failure;

/// The decision about one request of a batch.
public sealed interface Claim {
  /// The key is new and is now held by this transaction: do the work, then store the response, or release the
  /// key if the work is refused.
  record Acquired() implements Claim {}

  /// The request was completed before: this is its response.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Replayed(byte[] response) implements Claim {}

  /// The same request is already in this batch, at this index; its outcome holds for both.
  record DuplicateInBatch(int first) implements Claim {}

  /// The key was used for another body.
  record Conflict() implements Claim {
    public Failure failure() {
      return Failure.conflict(
          "idempotency-key.reused", "this idempotency key was used for another request");
    }
  }
}
