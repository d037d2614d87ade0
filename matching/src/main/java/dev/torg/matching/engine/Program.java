package dev.torg.matching.engine;

import java.util.Arrays;

/// The clauses of a query as numbers of a segment's vocabulary and fields: what the exact check evaluates. Each
/// clause is a head (operation and operand count) and its operands; the cheap and selective ones come first.
final class Program {
  /// All features present.
  static final int ALL = 1;

  /// At least one present.
  static final int ANY = 2;

  /// None present.
  static final int NONE = 3;

  /// Field, then the two ends as two ints each.
  static final int RANGE = 4;

  /// The words of a phrase, adjacent.
  static final int PHRASE = 5;

  static final int NOT_PHRASE = 6;

  static final int RANGE_OPERANDS = 5;

  int[] code = new int[32];
  int length;
  private int head = -1;

  void clear() {
    length = 0;
  }

  void begin(int operation) {
    head = length;
    put(operation << 24);
  }

  void operand(int value) {
    put(value);
    code[head]++;
  }

  void operand(long value) {
    operand((int) (value >>> 32));
    operand((int) value);
  }

  private void put(int value) {
    if (length == code.length) {
      code = Arrays.copyOf(code, 2 * length);
    }
    code[length++] = value;
  }

  static int operation(int head) {
    return head >>> 24;
  }

  static int operands(int head) {
    return head & 0xFFFFFF;
  }

  static long longAt(int[] code, int at) {
    return ((long) code[at] << 32) | (code[at + 1] & 0xFFFFFFFFL);
  }
}
