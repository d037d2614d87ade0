package dev.torg.platform.outbox;

import java.util.concurrent.ThreadLocalRandom;

/// Sequence numbers for outbox rows of one topic and key that have several writers.
///
/// The primary key of the outbox is the sequence number together with home, topic and key, and rows
/// of a key are sent in the order of the numbers. Numbers are times in microseconds. A single
/// writer under a lock raises the time above its former number ([EventSequence]). Writers that
/// share a key without sharing a lock would insert the same number in the same microsecond and
/// fail; they use disjoint numbers instead:
///
/// - two writers: one uses the even numbers ([#even], [#evenAfter]) and the other the odd ones
///   ([#odd]), and a further row of the same writer follows in steps of [#STEP];
/// - any number of writers, whose order among each other has no meaning: the time plus a random
///   offset ([#withRandomOffset]).
///
/// Users: the events of an offer (even) and those of its stages (odd); photo requests of drafts
/// (even) and of offers (odd); photo answers (random offset).
public final class OutboxSequence {
  /// The distance to the writer's next number.
  public static final int STEP = 2;

  /// Makes a collision of two numbers of one microsecond unlikely; one that happens fails its transaction,
  /// which is repeated. Stays well below the time between two events whose order matters.
  private static final int MAX_RANDOM_MICROS = 1_000;

  private OutboxSequence() {}

  /// The even number at or before the time.
  public static long even(long at) {
    return at & ~1L;
  }

  /// The odd number at or after the time.
  public static long odd(long at) {
    return at | 1;
  }

  /// The lowest even number that is at or after the time and above the writer's former number.
  public static long evenAfter(long at, long former) {
    long next = Math.max(at, former + 1);
    return next + (next & 1);
  }

  /// A number within a millisecond after the time.
  public static long withRandomOffset(long at) {
    return at + ThreadLocalRandom.current().nextInt(MAX_RANDOM_MICROS);
  }
}
