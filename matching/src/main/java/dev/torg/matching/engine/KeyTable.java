package dev.torg.matching.engine;

import java.util.Arrays;

/// Numbers composite keys from 0 while a base is built, then becomes the base's own table.
final class KeyTable {
  private long[] keys = new long[1024];
  private int[] slots = new int[1024];
  private int size;

  int slot(long key) {
    if (2 * size >= keys.length) {
      grow();
    }
    int index = indexOf(keys, key);
    if (keys[index] == 0) {
      keys[index] = key;
      slots[index] = size++;
    }
    return slots[index];
  }

  int size() {
    return size;
  }

  private void grow() {
    long[] before = keys;
    int[] slotsBefore = slots;
    keys = new long[2 * before.length];
    slots = new int[2 * before.length];
    for (int i = 0; i < before.length; i++) {
      if (before[i] != 0) {
        int index = indexOf(keys, before[i]);
        keys[index] = before[i];
        slots[index] = slotsBefore[i];
      }
    }
  }

  private static int indexOf(long[] table, long key) {
    int index = (int) (key >>> 1) & (table.length - 1);
    while (table[index] != 0 && table[index] != key) {
      index = (index + 1) & (table.length - 1);
    }
    return index;
  }

  /// Key and packed posting range next to each other, so that a lookup touches one cache line.
  long[] table(int firstSlot, int[] starts) {
    long[] table = new long[2 * capacity()];
    for (int i = 0; i < keys.length; i++) {
      if (keys[i] != 0) {
        int at = place2(table, keys[i]);
        int slot = firstSlot + slots[i];
        table[at] = keys[i];
        table[at + 1] = Base.packed(starts[slot], starts[slot + 1] - starts[slot]);
      }
    }
    keys = Arrays.copyOf(keys, 0);
    slots = Arrays.copyOf(slots, 0);
    return table;
  }

  private int capacity() {
    return Integer.highestOneBit(Math.max(4, size + (size >> 1))) * 2;
  }

  private static int place2(long[] table, long key) {
    int last = table.length - 2;
    int at = (int) (key >>> 1) << 1 & last;
    while (table[at] != 0) {
      at = (at + 2) & last;
    }
    return at;
  }
}
