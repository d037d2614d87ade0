package dev.torg.matching.engine;

import dev.torg.matching.OfferText;
import java.util.Arrays;

/// The numbers of an offer's features in one segment, each with the index of its word in the offer's text.
/// Small enough to stay in the L1 cache.
final class Members {
  private int[] table = new int[2 * 1024];
  private int last = table.length - 2;

  /// Empties the set and ensures its capacity.
  void clear(int expected) {
    int size = Integer.highestOneBit(Math.max(256, expected)) * 8;
    if (table.length < size) {
      table = new int[size];
    } else {
      Arrays.fill(table, 0, size, 0);
    }
    last = size - 2;
  }

  /// Ignores -1, the number of a feature unknown to the segment.
  void add(int id, int word) {
    if (id < 0) {
      return;
    }
    int slot = slot(id);
    while (table[slot] != 0 && table[slot] != id + 1) {
      slot = (slot + 2) & last;
    }
    table[slot] = id + 1;
    table[slot + 1] = word;
  }

  boolean has(int id) {
    return table[find(id)] != 0;
  }

  /// The index of a word in the offer's text; [OfferText#GAP] if the offer does not have it.
  int word(int id) {
    int slot = find(id);
    return table[slot] == 0 ? OfferText.GAP : table[slot + 1];
  }

  private int find(int id) {
    int slot = slot(id);
    while (table[slot] != 0 && table[slot] != id + 1) {
      slot = (slot + 2) & last;
    }
    return slot;
  }

  private int slot(int id) {
    int mixed = id * 0x9E3779B9;
    return (mixed ^ (mixed >>> 16)) << 1 & last;
  }
}
