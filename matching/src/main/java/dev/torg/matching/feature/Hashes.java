package dev.torg.matching.feature;

/// 64-bit hashes of features and of combinations of them. Multiply-and-fold mixing: cheap, and good enough that
/// at ten million queries a collision only costs a wasted probe, never a wrong result.
public final class Hashes {
  private static final long A = 0x9E3779B97F4A7C15L;
  private static final long B = 0xD6E8FEB86659FD93L;
  private static final long C = 0xA0761D6478BD642FL;

  private Hashes() {}

  static long of(int kind, String text) {
    long hash = (kind + 1) * A;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * B;
      hash ^= hash >>> 29;
    }
    return mix(hash);
  }

  public static long mix(long hash) {
    long mixed = (hash ^ (hash >>> 32)) * B;
    mixed = (mixed ^ (mixed >>> 29)) * C;
    return mixed ^ (mixed >>> 32);
  }

  /// The access key of up to three features; 0 stands for a missing part. Never 0 itself.
  public static long key(long category, long region, long fact) {
    long hash = mix(category * A + Long.rotateLeft(region, 21) * B + Long.rotateLeft(fact, 42) * C);
    return hash == 0 ? 1 : hash;
  }

  /// Two adjacent words.
  public static long pair(long first, long second) {
    return mix(first * A + Long.rotateLeft(second, 31));
  }
}
