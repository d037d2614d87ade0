package dev.torg.matching.text;

import dev.torg.matching.feature.Feature;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Word → stems, so that a common word is stemmed once. Bounded by construction: two entries a bucket, the newer in
/// front. Entries are immutable and read without locks; a lost race only stems a word twice. A word of up to twelve characters is compared
/// by the numbers in its entry: reading one more array would cost a further trip to memory.
final class StemCache {
  /// 2^17 buckets of two: all the words a site's offers use daily, in some 30 MB.
  private static final int BUCKETS = 1 << 17;

  /// `rest` holds the characters past the packed ones, `second` is there only for a word that has two stems.
  record Entry(
      long a, long b, long c, int length, char[] rest, Feature stem, @Nullable Feature second) {}

  private static final char[] NOTHING = {};

  private final @Nullable Entry[] entries = new @Nullable Entry[2 * BUCKETS];

  Entry get(Scanner word) {
    int slot = 2 * (spread(word.hash) & (BUCKETS - 1));
    Entry front = entries[slot];
    if (front != null && is(front, word)) {
      return front;
    }
    Entry back = entries[slot + 1];
    if (back != null && is(back, word)) {
      return back;
    }
    Entry fresh = entry(word);
    entries[slot + 1] = front;
    entries[slot] = fresh;
    return fresh;
  }

  private static int spread(int hash) {
    int mixed = hash * 0x9E3779B9;
    return mixed ^ (mixed >>> 15);
  }

  private static boolean is(Entry entry, Scanner word) {
    return entry.a == word.first
        && entry.b == word.second
        && entry.c == word.third
        && entry.length == word.length
        && (word.length <= Scanner.PACKED
            || Arrays.equals(
                entry.rest, 0, entry.rest.length, word.buffer, Scanner.PACKED, word.length));
  }

  private static Entry entry(Scanner word) {
    List<String> stems = Stems.of(new String(word.buffer, 0, word.length));
    Feature second = stems.size() == 1 ? null : Feature.word(stems.get(1));
    char[] rest =
        word.length <= Scanner.PACKED
            ? NOTHING
            : Arrays.copyOfRange(word.buffer, Scanner.PACKED, word.length);
    return new Entry(
        word.first,
        word.second,
        word.third,
        word.length,
        rest,
        Feature.word(stems.getFirst()),
        second);
  }
}
