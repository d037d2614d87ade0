package dev.torg.matching.text;

import dev.torg.matching.feature.Feature;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Word → stems, so that a common word is stemmed once. Bounded by construction: two entries per
/// bucket, the newer in front. Entries are immutable and read without locks; a lost race only stems
/// a word twice. A word of up to twelve characters is compared by the numbers in its entry: reading
/// one more array would cost a further memory access.
final class StemCache {
  /// 2^18 buckets of two: all the words a site's offers use daily, in 60 MB at most.
  private static final int BUCKETS = 1 << 18;

  private static final char[] NOTHING = {};

  /// An entry that equals no word: it fills the empty buckets.
  private static final Entry NONE = new Entry(0, 0, 0, 0, NOTHING, Feature.word(""), null);

  /// `rest` holds the characters past the packed ones, `second` is set only for a word that has two stems.
  record Entry(
      long a, long b, long c, int length, char[] rest, Feature stem, @Nullable Feature second) {

    /// For a word without a rest.
    boolean is(long first, long next, long last, int size) {
      return a == first && b == next && c == last && length == size;
    }

    boolean is(Scanner word) {
      return is(word.first, word.second, word.third, word.length)
          && (word.length <= Scanner.PACKED
              || Arrays.equals(rest, 0, rest.length, word.buffer, Scanner.PACKED, word.length));
    }
  }

  private final Entry[] entries = new Entry[2 * BUCKETS];

  StemCache() {
    Arrays.fill(entries, NONE);
  }

  /// The first bucket position of a word.
  static int slot(int hash) {
    int mixed = hash * 0x9E3779B9;
    return 2 * ((mixed ^ (mixed >>> 15)) & (BUCKETS - 1));
  }

  Entry at(int slot) {
    return entries[slot];
  }

  Entry get(Scanner word) {
    int slot = slot(word.hash);
    Entry front = entries[slot];
    if (front.is(word)) {
      return front;
    }
    Entry back = entries[slot + 1];
    return back.is(word) ? back : put(slot, entry(word));
  }

  /// The same for a word of packed characters only, which is not the first entry.
  Entry get(int slot, long first, long second, long third, int length) {
    Entry back = entries[slot + 1];
    if (back.is(first, second, third, length)) {
      return back;
    }
    String word = unpacked(first, second, third, length);
    return put(slot, entry(word, first, second, third, NOTHING));
  }

  private Entry put(int slot, Entry entry) {
    entries[slot + 1] = entries[slot];
    entries[slot] = entry;
    return entry;
  }

  private static Entry entry(Scanner word) {
    char[] remainder =
        word.length <= Scanner.PACKED
            ? NOTHING
            : Arrays.copyOfRange(word.buffer, Scanner.PACKED, word.length);
    String text = new String(word.buffer, 0, word.length);
    return entry(text, word.first, word.second, word.third, remainder);
  }

  private static Entry entry(String word, long first, long second, long third, char[] remainder) {
    List<String> stems = Stems.of(word);
    Feature next = stems.size() == 1 ? null : Feature.word(stems.get(1));
    Feature stem = Feature.word(stems.getFirst());
    return new Entry(first, second, third, word.length(), remainder, stem, next);
  }

  /// The characters of a [Scanner]'s packed numbers.
  private static String unpacked(long first, long second, long third, int length) {
    char[] word = new char[length];
    for (int i = 0; i < length; i++) {
      int inGroup = Math.min(4, length - i / 4 * 4);
      long group = i < 4 ? first : i < 8 ? second : third;
      word[i] = (char) (group >>> 16 * (inGroup - 1 - i % 4));
    }
    return new String(word);
  }
}
