package dev.torg.matching.text;

import dev.torg.matching.feature.Feature;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Word → stems, so that a common word is stemmed once. Bounded by construction: two entries a bucket, the newer in
/// front. Entries are immutable and read without locks; a lost race only stems a word twice.
final class StemCache {
  /// 2^17 buckets of two: all the words a site's offers use daily, in some 30 MB.
  private static final int BUCKETS = 1 << 17;

  /// `second` is there only for a word that has two stems.
  record Entry(int hash, char[] word, Feature stem, @Nullable Feature second) {}

  private final @Nullable Entry[] entries = new @Nullable Entry[2 * BUCKETS];

  Entry get(char[] buffer, int length, int hash) {
    int slot = 2 * (spread(hash) & (BUCKETS - 1));
    Entry front = entries[slot];
    if (front != null && is(front, buffer, length, hash)) {
      return front;
    }
    Entry back = entries[slot + 1];
    if (back != null && is(back, buffer, length, hash)) {
      return back;
    }
    Entry fresh = entry(new String(buffer, 0, length), hash);
    entries[slot + 1] = front;
    entries[slot] = fresh;
    return fresh;
  }

  private static int spread(int hash) {
    int mixed = hash * 0x9E3779B9;
    return mixed ^ (mixed >>> 15);
  }

  private static boolean is(Entry entry, char[] buffer, int length, int hash) {
    if (entry.hash != hash || entry.word.length != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (entry.word[i] != buffer[i]) {
        return false;
      }
    }
    return true;
  }

  private static Entry entry(String word, int hash) {
    List<String> stems = Stems.of(word);
    Feature second = stems.size() == 1 ? null : Feature.word(stems.get(1));
    return new Entry(hash, word.toCharArray(), Feature.word(stems.getFirst()), second);
  }
}
