package dev.torg.matching.engine;

import dev.torg.matching.SearchId;
import dev.torg.matching.feature.Feature;
import dev.torg.matching.feature.Hashes;
import java.util.concurrent.atomic.AtomicLongArray;

/// Millions of queries in a few primitive arrays, laid out by access key: the postings of a key lie side by side, and so do the
/// records they lead to. Immutable but for the bits of removed queries.
final class Base implements Segment {
  /// The parts of a base, as built or as read from a snapshot.
  record Parts(
      Vocabulary vocabulary,
      Fields fields,
      /// By feature: first posting and count of the single key, packed.
      long[] singles,
      /// Open addressing: composite key, then first posting and count packed; key 0 is empty.
      long[] composites,
      /// Two longs a posting, see [Signature].
      long[] postings,
      int[] records,
      /// Open addressing by search id: record offset + 1.
      int[] lookup,
      int count) {}

  private final Parts parts;
  private final long hashMask;
  private final AtomicLongArray removed;

  Base(Parts parts, long hashMask) {
    this.parts = parts;
    this.hashMask = hashMask;
    this.removed = new AtomicLongArray((parts.count + 63) >>> 6);
  }

  static long packed(int start, int count) {
    return ((long) start << 32) | count;
  }

  static int slotOf(long first, int length) {
    return (int) Hashes.mix(first) & (length - 1);
  }

  @Override
  public Vocabulary vocabulary() {
    return parts.vocabulary;
  }

  /// The same few words recur, as the same objects of the stem cache.
  @Override
  public int word(Feature word) {
    return parts.vocabulary.findFinal(word);
  }

  @Override
  public Fields fields() {
    return parts.fields;
  }

  @Override
  public int[] records() {
    return parts.records;
  }

  @Override
  public int end() {
    return parts.records.length;
  }

  Parts parts() {
    return parts;
  }

  int count() {
    return parts.count;
  }

  @Override
  public boolean isRemoved(int ordinal) {
    return (removed.getAcquire(ordinal >>> 6) & (1L << ordinal)) != 0;
  }

  /// For the writer.
  void remove(int ordinal) {
    removed.setRelease(ordinal >>> 6, removed.getPlain(ordinal >>> 6) | (1L << ordinal));
  }

  /// Which ordinals were removed, 64 a long. For the writer.
  long[] removedBits() {
    long[] bits = new long[removed.length()];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = removed.getPlain(i);
    }
    return bits;
  }

  void removeAll(long[] bits) {
    for (int i = 0; i < bits.length; i++) {
      removed.setRelease(i, bits[i]);
    }
  }

  int liveCount() {
    int dead = 0;
    for (long word : removedBits()) {
      dead += Long.bitCount(word);
    }
    return parts.count - dead;
  }

  @Override
  public void single(int feature, Probe probe) {
    show(parts.singles[feature], probe);
  }

  @Override
  public void composite(long key, Probe probe) {
    long[] table = parts.composites;
    int last = table.length - 2;
    long masked = key & hashMask | 1;
    for (int slot = (int) (masked >>> 1) << 1 & last; ; slot = (slot + 2) & last) {
      if (table[slot] == masked) {
        if (probe.isNew(masked)) {
          show(table[slot + 1], probe);
        }
        return;
      }
      if (table[slot] == 0) {
        return;
      }
    }
  }

  private void show(long packed, Probe probe) {
    if (packed != 0) {
      int start = (int) (packed >>> 32);
      probe.scan(parts.postings, start, start + (int) packed);
    }
  }

  /// The record of a live query, or -1.
  int find(SearchId id) {
    int[] lookup = parts.lookup;
    for (int slot = slotOf(id.first(), lookup.length);
        lookup[slot] != 0;
        slot = (slot + 1) & (lookup.length - 1)) {
      int record = lookup[slot] - 1;
      if (Records.hasId(parts.records, record, id)) {
        return isRemoved(parts.records[record]) ? -1 : record;
      }
    }
    return -1;
  }

  long bytes() {
    return 8L
            * (parts.singles.length
                + parts.composites.length
                + parts.postings.length
                + removed.length())
        + 4L * (parts.records.length + parts.lookup.length)
        + parts.vocabulary.bytes();
  }
}
