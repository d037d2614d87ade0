package dev.torg.matching.engine;

import dev.torg.matching.OfferFeatures;
import dev.torg.matching.OfferText;
import dev.torg.matching.feature.Feature;
import dev.torg.matching.feature.Hashes;
import java.util.Arrays;

/// Matches one offer against the segments: looks up the keys that the offer has, scans their postings and
/// verifies the few remaining candidates. Reused from offer to offer, by one thread at a time; steady work
/// allocates only the result.
final class Probe {
  private static final int BITS = 1 << 16;

  private final long mask;

  /// Which hashes the offer has, see [Signature]; bit 0 is always set.
  private final long[] bits = new long[BITS >>> 6];

  private OfferFeatures offer = OfferFeatures.builder().build();
  private int pricesLow;
  private int pricesHigh;

  /// The current segment.
  private Segment segment;

  private final Members members = new Members();
  private final VisitedKeys visited = new VisitedKeys();
  private final int[] low = new int[Fields.MAX_INLINE + 1];
  private final int[] high = new int[Fields.MAX_INLINE + 1];
  private long[][] values = new long[16][];
  private int[] categoryIds = new int[8];
  private int[] regionIds = new int[8];
  private int[] factIds = new int[64];
  private int[] wordIds = new int[512];

  private final ResultBuffer results = new ResultBuffer();
  private long scanned;
  private long checked;
  private long failed;

  Probe(long hashMask, Segment any) {
    mask = hashMask;
    segment = any;
    bits[0] = 1;
    high[0] = Quantizer.HIGHEST;
  }

  void begin(OfferFeatures next) {
    offer = next;
    scanned = 0;
    checked = 0;
    failed = 0;
    results.clear();
    setBits();
  }

  Matches finish() {
    Arrays.fill(bits, 0);
    bits[0] = 1;
    return results.matches(scanned, checked, failed);
  }

  private void setBits() {
    set(offer.categories());
    set(offer.regions());
    set(offer.facts());
    Feature[] words = offer.text().words();
    set(words);
    int[] tokens = offer.text().tokens();
    for (int i = 0; i + 1 < tokens.length; i++) {
      if (tokens[i] != OfferText.GAP && tokens[i + 1] != OfferText.GAP) {
        set(Hashes.pair(words[tokens[i]].hash() & mask, words[tokens[i + 1]].hash() & mask));
      }
    }
  }

  private void set(Feature[] features) {
    for (Feature feature : features) {
      set(feature.hash());
    }
  }

  private void set(long hash) {
    int bit = Signature.hash16(hash & mask);
    bits[bit >>> 6] |= 1L << bit;
  }

  /// Collects the queries of one segment that the offer satisfies.
  void run(Segment next) {
    if (next.end() == 0) {
      return;
    }
    segment = next;
    members.clear(offer.text().words().length + offer.facts().length + 32);
    visited.clear();
    setNumbers();
    categoryIds = resolve(offer.categories(), categoryIds);
    regionIds = resolve(offer.regions(), regionIds);
    Feature[] words = offer.text().words();
    wordIds = capacity(wordIds, words.length);
    for (int i = 0; i < words.length; i++) {
      wordIds[i] = segment.word(words[i]);
      members.add(wordIds[i], i);
    }
    factIds = resolve(offer.facts(), factIds);
    lookUp();
    clearNumbers();
    results.endSegment(segment);
  }

  private int[] resolve(Feature[] features, int[] ids) {
    int[] resolved = capacity(ids, features.length);
    for (int i = 0; i < features.length; i++) {
      resolved[i] = segment.vocabulary().find(features[i]);
      members.add(resolved[i], OfferText.GAP);
    }
    return resolved;
  }

  private static int[] capacity(int[] array, int size) {
    return array.length >= size ? array : new int[2 * size];
  }

  private void setNumbers() {
    Fields fields = segment.fields();
    if (values.length < fields.end()) {
      values = new long[2 * fields.end()][];
    }
    pricesLow = Quantizer.HIGHEST;
    pricesHigh = Quantizer.ABSENT;
    for (OfferFeatures.Field field : offer.fields()) {
      int id = fields.find(field.name());
      if (id > 0) {
        setValues(id, field.values());
      }
    }
    if (pricesHigh == Quantizer.ABSENT) {
      pricesLow = Quantizer.ABSENT;
    }
  }

  private void setValues(int id, long[] numbers) {
    values[id] = numbers;
    int least = Quantizer.HIGHEST;
    int max = Quantizer.ABSENT;
    for (long number : numbers) {
      int step = segment.fields().quantizer(id).step(number);
      least = Math.min(least, step);
      max = Math.max(max, step);
    }
    if (segment.fields().isPrice(id)) {
      pricesLow = Math.min(pricesLow, least);
      pricesHigh = Math.max(pricesHigh, max);
    } else if (id <= Fields.MAX_INLINE) {
      low[id] = least;
      high[id] = max;
    }
  }

  private void clearNumbers() {
    int end = segment.fields().end();
    Arrays.fill(values, 0, end, null);
    Arrays.fill(low, 1, Math.min(end, low.length), 0);
    Arrays.fill(high, 1, Math.min(end, high.length), 0);
  }

  private void lookUp() {
    Feature[] words = offer.text().words();
    for (int i = 0; i < words.length; i++) {
      if (wordIds[i] >= 0) {
        segment.single(wordIds[i], this);
        if (segment.vocabulary().isComposite(wordIds[i])) {
          withCategories(words[i].hash());
        }
      }
    }
    probeCategoriesAndRegions(0, -1);
    for (int i = 0; i < offer.facts().length; i++) {
      Feature fact = offer.facts()[i];
      int id = factIds[i];
      if (id >= 0) {
        segment.single(id, this);
        if (segment.vocabulary().isComposite(id)) {
          probeCategoriesAndRegions(fact.hash(), id);
        }
      }
    }
  }

  private void withCategories(long word) {
    for (int c = 0; c < offer.categories().length; c++) {
      if (isPart(categoryIds[c])) {
        segment.composite(Hashes.key(offer.categories()[c].hash(), 0, word), this);
      }
    }
  }

  private boolean isPart(int id) {
    return id >= 0 && segment.vocabulary().isComposite(id);
  }

  /// All keys of a fact (0: of none) with a category, a region, or both.
  private void probeCategoriesAndRegions(long fact, int factId) {
    for (int c = 0; c < offer.categories().length; c++) {
      probe(offer.categories()[c].hash(), 0, fact, categoryIds[c], factId);
    }
    for (int r = 0; r < offer.regions().length; r++) {
      probe(0, offer.regions()[r].hash(), fact, regionIds[r], factId);
      for (int c = 0; c < offer.categories().length; c++) {
        if (isPart(categoryIds[c]) && isPart(regionIds[r])) {
          segment.composite(
              Hashes.key(offer.categories()[c].hash(), offer.regions()[r].hash(), fact), this);
        }
      }
    }
  }

  private void probe(long category, long region, long fact, int id, int factId) {
    if (factId < 0 && id >= 0) {
      segment.single(id, this);
    } else if (factId >= 0 && isPart(id)) {
      segment.composite(Hashes.key(category, region, fact), this);
    }
  }

  /// True at the first occurrence of a hashed key of the segment.
  boolean isNew(long key) {
    return visited.add(key);
  }

  /// Rejects by signature, then checks exactly. This loop dominates the cost of a match.
  void scan(long[] postings, int from, int to) {
    scanned += to - from;
    for (int i = 2 * from; i < 2 * to; i += 2) {
      long first = postings[i];
      if (has((int) (first >>> 48))
          && has((int) (first >>> 32) & 0xFFFF)
          && has((int) (first >>> 16) & 0xFFFF)
          && pricesHigh >= ((int) (first >>> 8) & 0xFF)
          && pricesLow <= ((int) first & 0xFF)) {
        long second = postings[i + 1];
        int field = (int) (second >>> 24) & 0xFF;
        if (high[field] >= ((int) (second >>> 16) & 0xFF)
            && low[field] <= ((int) (second >>> 8) & 0xFF)) {
          candidate((int) (second >>> 32), ((int) second & Signature.SEVERAL) != 0);
        }
      }
    }
  }

  private boolean has(int bit) {
    return (bits[bit >>> 6] & (1L << bit)) != 0;
  }

  /// A record that cannot be verified counts as failed and does not affect the others.
  private void candidate(int record, boolean several) {
    if (record >= segment.end()) {
      return;
    }
    checked++;
    try {
      int[] records = segment.records();
      if (satisfies(records, record) && !segment.isRemoved(records[record])) {
        results.add(records, record, several);
      }
    } catch (RuntimeException e) {
      failed++;
    }
  }

  private boolean satisfies(int[] code, int record) {
    int end = record + Records.sizeAt(code, record);
    for (int at = record + Records.PROGRAM; at < end; ) {
      int operands = Program.operands(code[at]);
      if (!holds(code, at, operands)) {
        return false;
      }
      at += 1 + operands;
    }
    return true;
  }

  private boolean holds(int[] code, int at, int operands) {
    return switch (Program.operation(code[at])) {
      case Program.ALL -> all(code, at + 1, operands);
      case Program.ANY -> any(code, at + 1, operands);
      case Program.NONE -> !any(code, at + 1, operands);
      case Program.RANGE -> range(code, at + 1);
      case Program.PHRASE -> phrase(code, at + 1, operands);
      case Program.NOT_PHRASE -> !phrase(code, at + 1, operands);
      default -> throw new IllegalStateException("no such clause: " + code[at]);
    };
  }

  private boolean all(int[] code, int from, int count) {
    for (int i = from; i < from + count; i++) {
      if (!members.has(code[i])) {
        return false;
      }
    }
    return true;
  }

  private boolean any(int[] code, int from, int count) {
    for (int i = from; i < from + count; i++) {
      if (members.has(code[i])) {
        return true;
      }
    }
    return false;
  }

  private boolean range(int[] code, int at) {
    long[] numbers = values[code[at]];
    if (numbers == null) {
      return false;
    }
    long from = Program.longAt(code, at + 1);
    long to = Program.longAt(code, at + 3);
    for (long number : numbers) {
      if (from <= number && number <= to) {
        return true;
      }
    }
    return false;
  }

  /// Iterates over the positions of the phrase's rarest word in the offer.
  private boolean phrase(int[] code, int from, int count) {
    OfferText text = offer.text();
    int rarest = -1;
    int least = Integer.MAX_VALUE;
    for (int i = 0; i < count; i++) {
      int word = members.word(code[from + i]);
      if (word < 0) {
        return false;
      }
      if (text.occurrences(word) < least) {
        least = text.occurrences(word);
        rarest = i;
      }
    }
    int anchor = members.word(code[from + rarest]);
    for (int nth = 0; nth < least; nth++) {
      if (occursAt(code, from, count, text.position(anchor, nth) - rarest)) {
        return true;
      }
    }
    return false;
  }

  private boolean occursAt(int[] code, int from, int count, int start) {
    for (int i = 0; i < count; i++) {
      if (offer.text().wordAt(start + i) != members.word(code[from + i])) {
        return false;
      }
    }
    return true;
  }
}
