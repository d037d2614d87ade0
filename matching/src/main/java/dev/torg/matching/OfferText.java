package dev.torg.matching;

import dev.torg.matching.feature.Feature;
import dev.torg.matching.text.TextAnalysis;
import java.util.Arrays;

/// The analysed text of an offer: each distinct word once, with its positions. Title and description follow
/// each other with a gap of one position, so that no phrase spans them.
public final class OfferText {
  /// At a position without a word.
  public static final int GAP = -1;

  private final Feature[] words;
  private final int[] tokens;
  private final int[] starts;
  private final int[] positions;

  private OfferText(Feature[] words, int[] tokens) {
    this.words = words;
    this.tokens = tokens;
    this.starts = starts(words.length, tokens);
    this.positions = positions(words.length, tokens, starts);
  }

  static OfferText of(String title, String description) {
    Feature[] first = TextAnalysis.words(title);
    Feature[] second = TextAnalysis.words(description);
    int count = first.length + second.length;
    Distinct distinct = new Distinct(count);
    int[] tokens = new int[count + 1];
    distinct.number(first, tokens, 0);
    tokens[first.length] = GAP;
    distinct.number(second, tokens, first.length + 1);
    return new OfferText(distinct.words(), tokens);
  }

  /// The distinct words.
  public Feature[] words() {
    return words;
  }

  /// For each position the index of its word, or [#GAP].
  public int[] tokens() {
    return tokens;
  }

  public int occurrences(int word) {
    return starts[word + 1] - starts[word];
  }

  /// The position of the nth occurrence of a word.
  public int position(int word, int nth) {
    return positions[starts[word] + nth];
  }

  public int wordAt(int position) {
    return position < 0 || position >= tokens.length ? GAP : tokens[position];
  }

  private static int[] starts(int words, int[] tokens) {
    int[] starts = new int[words + 1];
    for (int token : tokens) {
      if (token != GAP) {
        starts[token + 1]++;
      }
    }
    for (int i = 0; i < words; i++) {
      starts[i + 1] += starts[i];
    }
    return starts;
  }

  private static int[] positions(int words, int[] tokens, int[] starts) {
    int[] next = Arrays.copyOf(starts, words);
    int[] positions = new int[starts[words]];
    for (int i = 0; i < tokens.length; i++) {
      if (tokens[i] != GAP) {
        positions[next[tokens[i]]++] = i;
      }
    }
    return positions;
  }

  /// Numbers words in the order they are first seen.
  private static final class Distinct {
    private final int mask;
    private final int[] table;
    private final Feature[] words;
    private int count;

    Distinct(int tokens) {
      int size = Integer.highestOneBit(Math.max(4, tokens)) * 4;
      mask = size - 1;
      table = new int[size];
      words = new Feature[tokens];
    }

    /// Gives each word its number, from `start` on. All hashes are read first, so that the memory accesses do
    /// not wait for each other.
    void number(Feature[] features, int[] tokens, int start) {
      for (int i = 0; i < features.length; i++) {
        tokens[start + i] = (int) features[i].hash();
      }
      for (int i = 0; i < features.length; i++) {
        tokens[start + i] = index(features[i], tokens[start + i] & mask);
      }
    }

    private int index(Feature word, int first) {
      int slot = first;
      while (table[slot] != 0) {
        if (words[table[slot] - 1].equals(word)) {
          return table[slot] - 1;
        }
        slot = (slot + 1) & mask;
      }
      words[count] = word;
      table[slot] = ++count;
      return count - 1;
    }

    Feature[] words() {
      return Arrays.copyOf(words, count);
    }
  }
}
