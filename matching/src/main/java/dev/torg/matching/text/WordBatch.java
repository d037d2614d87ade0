package dev.torg.matching.text;

/// A batch of words looked up in the cache together. A lookup takes two memory accesses, and a processor that
/// sees sixteen of them overlaps their latencies; one by one, each would wait for the scanning of the next
/// word. Not thread-safe; created per text.
final class WordBatch {
  private static final int SIZE = 16;
  private static final int LONG_WORD = -1;

  private final StemCache cache;
  private final long[] first = new long[SIZE];
  private final long[] second = new long[SIZE];
  private final long[] third = new long[SIZE];
  private final int[] lengths = new int[SIZE];
  private final int[] slots = new int[SIZE];
  private final StemCache.Entry[] entries = new StemCache.Entry[SIZE];
  private int size;

  WordBatch(StemCache cache) {
    this.cache = cache;
  }

  /// Reads the next words and finds their stems. False at the end of the text.
  boolean next(Scanner scanner) {
    for (size = 0; size < SIZE && scanner.next(); size++) {
      take(scanner);
    }
    for (int i = 0; i < size; i++) {
      if (slots[i] != LONG_WORD) {
        entries[i] = cache.at(slots[i]);
      }
    }
    for (int i = 0; i < size; i++) {
      if (slots[i] != LONG_WORD && !entries[i].is(first[i], second[i], third[i], lengths[i])) {
        entries[i] = cache.get(slots[i], first[i], second[i], third[i], lengths[i]);
      }
    }
    return size > 0;
  }

  private void take(Scanner scanner) {
    if (scanner.length > Scanner.PACKED) {
      slots[size] = LONG_WORD;
      entries[size] = cache.get(scanner);
      return;
    }
    slots[size] = StemCache.slot(scanner.hash);
    first[size] = scanner.first;
    second[size] = scanner.second;
    third[size] = scanner.third;
    lengths[size] = scanner.length;
  }

  int size() {
    return size;
  }

  StemCache.Entry entry(int index) {
    return entries[index];
  }
}
