package dev.torg.matching.engine;

import dev.torg.matching.feature.Hashes;

/// The 16 bytes of a posting that reject most candidates without touching their record.
///
/// The first long holds three 16-bit hashes of what the query requires beyond its key (rarest first; 0 where there is nothing more
/// to check) and the lowest and highest step of its price range. The second holds the record's offset, one more range (field, lowest and highest
/// step) and flags. An offer sets its hashes in a map of 65,536 bits, 8 kB: even a text of a thousand words leaves
/// 98 of 100 bits unset, where a 64-bit signature would be full after a few dozen.
final class Signature {
  /// The query is filed under several keys, so it may be found twice.
  static final int SEVERAL = 1;

  private static final int HASHES = 3;

  private final Vocabulary vocabulary;
  private final Fields fields;
  private final AccessKeys keys;
  private final long mask;

  private final int[] hashes = new int[HASHES];
  private final double[] frequencies = new double[HASHES];
  private int used;
  private int priceLow;
  private int priceHigh;
  private int field;
  private int low;
  private int high;

  /// The results: all of the first long, and the lower half of the second.
  long first;

  int second;

  Signature(Vocabulary vocabulary, Fields fields, AccessKeys keys, long hashMask) {
    this.vocabulary = vocabulary;
    this.fields = fields;
    this.keys = keys;
    this.mask = hashMask;
  }

  static int hash16(long hash) {
    int high = (int) (hash >>> 48);
    return high == 0 ? 1 : high;
  }

  /// To be called right after the keys of the same program were chosen.
  void sign(int[] code, int from, int to) {
    used = 0;
    priceLow = Quantizer.ABSENT;
    priceHigh = Quantizer.HIGHEST;
    field = 0;
    for (int at = from; at < to; at += 1 + Program.operands(code[at])) {
      switch (Program.operation(code[at])) {
        case Program.ALL -> all(code, at);
        case Program.PHRASE -> phrase(code, at);
        case Program.RANGE -> range(code, at + 1);
        default -> {}
      }
    }
    pack();
  }

  private void all(int[] code, int at) {
    for (int i = 1; i <= Program.operands(code[at]); i++) {
      if (!keys.covers(code[at + i])) {
        require(vocabulary.get(code[at + i]).hash() & mask, keys.frequencyOf(code[at + i]));
      }
    }
  }

  private void phrase(int[] code, int at) {
    for (int i = 1; i < Program.operands(code[at]); i++) {
      long pair =
          Hashes.pair(
              vocabulary.get(code[at + i]).hash() & mask,
              vocabulary.get(code[at + i + 1]).hash() & mask);
      require(pair & mask, keys.frequencyOf(code[at + i]) * keys.frequencyOf(code[at + i + 1]));
    }
  }

  /// Keeps the rarest, in order.
  private void require(long hash, double frequency) {
    int index = used;
    while (index > 0 && frequencies[index - 1] > frequency) {
      index--;
    }
    if (index == HASHES) {
      return;
    }
    used = Math.min(HASHES, used + 1);
    for (int i = used - 1; i > index; i--) {
      hashes[i] = hashes[i - 1];
      frequencies[i] = frequencies[i - 1];
    }
    hashes[index] = hash16(hash);
    frequencies[index] = frequency;
  }

  private void range(int[] code, int at) {
    int id = code[at];
    Quantizer quantizer = fields.quantizer(id);
    int from = quantizer.stepFrom(Program.longAt(code, at + 1));
    int to = quantizer.stepTo(Program.longAt(code, at + 3));
    if (fields.isPrice(id)) {
      priceLow = from;
      priceHigh = to;
    } else if (id <= Fields.MAX_INLINE && (field == 0 || to - from < high - low)) {
      field = id;
      low = from;
      high = to;
    }
  }

  private void pack() {
    long packed = 0;
    for (int i = 0; i < HASHES; i++) {
      packed = (packed << 16) | (i < used ? hashes[i] : 0);
    }
    first = (packed << 16) | (priceLow << 8) | priceHigh;
    int ends = field == 0 ? Quantizer.HIGHEST : (low << 8) | high;
    second = (field << 24) | (ends << 8) | (keys.count > 1 ? SEVERAL : 0);
  }
}
