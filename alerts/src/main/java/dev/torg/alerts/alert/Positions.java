package dev.torg.alerts.alert;

import java.io.ByteArrayOutputStream;
import java.util.BitSet;

/// Which of a seller's numbered offers: a set of positions, 1 and up. Immutable.
///
/// The encoding is a list of runs, each as two varints: the gap since the end of the run before it, and
/// its length. A catalogue in a row takes a few bytes however long it is.
public final class Positions {
  /// A seller cannot number more offers than this: what is beyond it is damaged data.
  public static final int MAX_POSITION = 1 << 28;

  private static final int VARINT_BITS = 7;
  private static final int VARINT_MASK = (1 << VARINT_BITS) - 1;
  private static final int MAX_VARINT_SHIFT = 28;

  private final BitSet bits;

  private Positions(BitSet bits) {
    this.bits = bits;
  }

  public static Positions of(BitSet bits) {
    return new Positions((BitSet) bits.clone());
  }

  public static Positions of(int... positions) {
    BitSet bits = new BitSet();
    for (int position : positions) {
      bits.set(position);
    }
    return new Positions(bits);
  }

  /// A copy that the caller may change.
  public BitSet toBitSet() {
    return (BitSet) bits.clone();
  }

  public boolean isEmpty() {
    return bits.isEmpty();
  }

  public int size() {
    return bits.cardinality();
  }

  public Positions plus(Positions other) {
    BitSet all = toBitSet();
    all.or(other.bits);
    return new Positions(all);
  }

  public byte[] encode() {
    ByteArrayOutputStream runs = new ByteArrayOutputStream();
    int end = 0;
    for (int start = bits.nextSetBit(0); start >= 0; start = bits.nextSetBit(end)) {
      write(runs, start - end);
      end = bits.nextClearBit(start);
      write(runs, end - start);
    }
    return runs.toByteArray();
  }

  public static Positions decode(byte[] runs) {
    BitSet bits = new BitSet();
    Input input = new Input(runs);
    int end = 0;
    while (input.hasMore()) {
      long start = (long) end + input.next();
      long next = start + input.next();
      if (next > MAX_POSITION || next == start) {
        throw new IllegalArgumentException("positions cannot be read");
      }
      end = (int) next;
      bits.set((int) start, end);
    }
    return new Positions(bits);
  }

  private static void write(ByteArrayOutputStream to, int number) {
    int rest = number;
    while (rest > VARINT_MASK) {
      to.write(rest & VARINT_MASK | VARINT_MASK + 1);
      rest >>>= VARINT_BITS;
    }
    to.write(rest);
  }

  private static final class Input {
    private final byte[] bytes;
    private int at;

    Input(byte[] bytes) {
      this.bytes = bytes;
    }

    boolean hasMore() {
      return at < bytes.length;
    }

    long next() {
      long number = 0;
      for (int shift = 0; shift <= MAX_VARINT_SHIFT && hasMore(); shift += VARINT_BITS) {
        byte part = bytes[at++];
        number |= (long) (part & VARINT_MASK) << shift;
        if (part >= 0) {
          return number;
        }
      }
      throw new IllegalArgumentException("positions cannot be read");
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Positions that && bits.equals(that.bits);
  }

  @Override
  public int hashCode() {
    return bits.hashCode();
  }

  @Override
  public String toString() {
    return bits.toString();
  }
}
