package dev.torg.matching.engine;

import java.util.Arrays;

/// The keys whose postings were scanned for an offer: two of its keys may have the same hash, and
/// no list is read twice.
final class VisitedKeys {
  private long[] table = new long[256];
  private int size;

  void clear() {
    if (size > 0) {
      Arrays.fill(table, 0);
      size = 0;
    }
  }

  /// True the first time. Keys are never 0.
  boolean add(long key) {
    if (2 * size >= table.length) {
      grow();
    }
    int slot = slot(key);
    if (table[slot] == key) {
      return false;
    }
    table[slot] = key;
    size++;
    return true;
  }

  private int slot(long key) {
    int slot = (int) (key >>> 1) & (table.length - 1);
    while (table[slot] != 0 && table[slot] != key) {
      slot = (slot + 1) & (table.length - 1);
    }
    return slot;
  }

  private void grow() {
    long[] before = table;
    table = new long[2 * before.length];
    for (long key : before) {
      if (key != 0) {
        table[slot(key)] = key;
      }
    }
  }
}
