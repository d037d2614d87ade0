package dev.torg.matching.engine;

import dev.torg.matching.feature.Feature;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The features that a segment's queries require, numbered from 0. One writer interns; readers look up without
/// locks and may miss what is being added, which is why a delta is read only up to its published end. A slot
/// holds the upper half of a feature's hash and its number + 1; the text decides.
final class Vocabulary {
  /// Set on a feature that is part of some composite key: only then is a lookup of the composite worthwhile.
  static final byte COMPOSITE = 1;

  private record Table(long[] slots, @Nullable Feature[] byId, byte[] flags) {}

  private static final AtomicInteger SERIALS = new AtomicInteger();

  private final long mask;
  private final long serial = (long) SERIALS.incrementAndGet() << 32;
  private volatile Table table;
  private int size;

  Vocabulary(long hashMask, int expected) {
    mask = hashMask;
    table = emptyTable(Math.max(16, Integer.highestOneBit(Math.max(1, expected)) * 2));
  }

  private static Table emptyTable(int capacity) {
    return new Table(new long[2 * capacity], new Feature[capacity], new byte[capacity]);
  }

  /// The number of a feature, or -1, cached in the feature itself: only for a vocabulary that is no longer
  /// written.
  int findFinal(Feature feature) {
    long memo = feature.memo();
    if ((memo ^ serial) >>> 32 == 0) {
      return (int) memo;
    }
    int id = find(feature);
    feature.setMemo(serial | (id & 0xFFFFFFFFL));
    return id;
  }

  /// The number of a feature, or -1.
  int find(Feature feature) {
    Table now = table;
    long hash = feature.hash() & mask;
    int last = now.slots.length - 1;
    int tag = (int) (hash >>> 32);
    for (int slot = (int) hash & last; ; slot = (slot + 1) & last) {
      long entry = now.slots[slot];
      if (entry == 0) {
        return -1;
      }
      if ((int) (entry >>> 32) == tag && feature.equals(now.byId[(int) entry - 1])) {
        return (int) entry - 1;
      }
    }
  }

  int intern(Feature feature) {
    int existing = find(feature);
    if (existing >= 0) {
      return existing;
    }
    if (size == table.byId.length) {
      grow();
    }
    table.byId[size] = feature;
    insert(table.slots, feature, size);
    return size++;
  }

  private void insert(long[] slots, Feature feature, int id) {
    long hash = feature.hash() & mask;
    int slot = (int) hash & (slots.length - 1);
    while (slots[slot] != 0) {
      slot = (slot + 1) & (slots.length - 1);
    }
    slots[slot] = (hash >>> 32 << 32) | (id + 1);
  }

  private void grow() {
    Table now = table;
    int capacity = 2 * now.byId.length;
    Table next =
        new Table(
            new long[2 * capacity],
            Arrays.copyOf(now.byId, capacity),
            Arrays.copyOf(now.flags, capacity));
    for (int id = 0; id < size; id++) {
      insert(next.slots, get(id), id);
    }
    table = next;
  }

  Feature get(int id) {
    Feature feature = table.byId[id];
    if (feature == null) {
      throw new IllegalStateException("no feature " + id);
    }
    return feature;
  }

  /// For the writer; readers of a delta see what was published.
  int size() {
    return size;
  }

  boolean isComposite(int id) {
    return (table.flags[id] & COMPOSITE) != 0;
  }

  void markComposite(int id) {
    table.flags[id] |= COMPOSITE;
  }

  long bytes() {
    long bytes = table.slots.length * 8L + table.byId.length * 5L;
    for (int id = 0; id < size; id++) {
      bytes += 88 + get(id).text().length();
    }
    return bytes;
  }
}
