package dev.torg.platform.coalesce;

import dev.torg.platform.Failure;

/// The outcome of one item of a batch.
public sealed interface Outcome<O> {
  /// The item's effect commits with the batch.
  record Done<O>(O value) implements Outcome<O> {}

  /// The item is refused and has no effect; the other items of the batch are not affected.
  record Failed<O>(Failure failure) implements Outcome<O> {}

  static <O> Outcome<O> done(O value) {
    return new Done<>(value);
  }

  static <O> Outcome<O> failed(Failure failure) {
    return new Failed<>(failure);
  }
}
