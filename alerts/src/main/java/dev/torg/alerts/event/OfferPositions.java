package dev.torg.alerts.event;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;

/// A set of a seller's numbered offers: positions, 1 and up. Immutable, and held in memory as encoded, so
/// its size depends on the number of runs, not of positions.
///
/// The encoding is a list of runs, each as two varints: the gap since the end of the previous run, and
/// its length. A contiguous catalogue takes a few bytes, however long it is.
public final class OfferPositions {
  /// A seller cannot have more numbered offers; higher positions are corrupt data.
  public static final int MAX_POSITION = 1 << 28;

  private static final int VARINT_BITS = 7;
  private static final int VARINT_MASK = (1 << VARINT_BITS) - 1;
  private static final int MAX_VARINT_SHIFT = 28;

  private static final OfferPositions NONE = new OfferPositions(new int[0]);

  /// Runs in ascending order, each as its first position and the one after its last.
  private final int[] runs;

  private OfferPositions(int[] runs) {
    this.runs = runs;
  }

  public static OfferPositions of(BitSet bits) {
    IntStream.Builder runs = IntStream.builder();
    int end = 0;
    for (int start = bits.nextSetBit(0); start >= 0; start = bits.nextSetBit(end)) {
      end = bits.nextClearBit(start);
      runs.add(start).add(end);
    }
    return new OfferPositions(runs.build().toArray());
  }

  public static OfferPositions of(int... positions) {
    int[] sorted = IntStream.of(positions).sorted().distinct().toArray();
    IntStream.Builder runs = IntStream.builder();
    for (int i = 0; i < sorted.length; i++) {
      if (i == 0 || sorted[i] > sorted[i - 1] + 1) {
        runs.add(sorted[i]);
      }
      if (i == sorted.length - 1 || sorted[i + 1] > sorted[i] + 1) {
        runs.add(sorted[i] + 1);
      }
    }
    return new OfferPositions(runs.build().toArray());
  }

  public static OfferPositions none() {
    return NONE;
  }

  public boolean isEmpty() {
    return runs.length == 0;
  }

  public int size() {
    int size = 0;
    for (int i = 0; i < runs.length; i += 2) {
      size += runs[i + 1] - runs[i];
    }
    return size;
  }

  /// Of a set that is not empty.
  public int first() {
    return runs[0];
  }

  /// Of a set that is not empty.
  public int last() {
    return runs[runs.length - 1] - 1;
  }

  /// All positions, ascending.
  public int[] toArray() {
    IntStream.Builder all = IntStream.builder();
    for (int i = 0; i < runs.length; i += 2) {
      IntStream.range(runs[i], runs[i + 1]).forEach(all::add);
    }
    return all.build().toArray();
  }

  /// The positions from `first` to `end` (excluded), relative to `first`.
  public BitSet within(int from, int to) {
    BitSet bits = new BitSet();
    for (int i = 0; i < runs.length; i += 2) {
      int start = Math.max(runs[i], from);
      int end = Math.min(runs[i + 1], to);
      if (start < end) {
        bits.set(start - from, end - from);
      }
    }
    return bits;
  }

  /// The blocks of this size that contain positions, ascending.
  public List<Integer> blocks(int size) {
    TreeSet<Integer> blocks = new TreeSet<>();
    for (int i = 0; i < runs.length; i += 2) {
      for (int block = runs[i] / size; block <= (runs[i + 1] - 1) / size; block++) {
        blocks.add(block);
      }
    }
    return List.copyOf(blocks);
  }

  public OfferPositions plus(OfferPositions other) {
    if (isEmpty()) {
      return other;
    }
    if (other.isEmpty()) {
      return this;
    }
    int base = Math.min(first(), other.first());
    int end = Math.max(last(), other.last()) + 1;
    BitSet all = within(base, end);
    all.or(other.within(base, end));
    int[] shifted = of(all).runs;
    return new OfferPositions(IntStream.of(shifted).map(position -> position + base).toArray());
  }

  public byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int end = 0;
    for (int i = 0; i < runs.length; i += 2) {
      write(bytes, runs[i] - end);
      write(bytes, runs[i + 1] - runs[i]);
      end = runs[i + 1];
    }
    return bytes.toByteArray();
  }

  public static OfferPositions decode(byte[] bytes) {
    IntStream.Builder runs = IntStream.builder();
    Input input = new Input(bytes);
    int end = 0;
    while (input.hasMore()) {
      long start = (long) end + input.next();
      long next = start + input.next();
      // Runs neither meet nor overlap: one that begins where the last ended is no run of its own.
      if (next > MAX_POSITION || next == start || start == end && end > 0) {
        throw new IllegalArgumentException("positions cannot be read");
      }
      end = (int) next;
      runs.add((int) start).add(end);
    }
    return new OfferPositions(runs.build().toArray());
  }

  private static void write(ByteArrayOutputStream to, int number) {
    int remainder = number;
    while (remainder > VARINT_MASK) {
      to.write(remainder & VARINT_MASK | VARINT_MASK + 1);
      remainder >>>= VARINT_BITS;
    }
    to.write(remainder);
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
    return other instanceof OfferPositions that && Arrays.equals(runs, that.runs);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(runs);
  }

  @Override
  public String toString() {
    return Arrays.toString(runs);
  }
}
