package dev.torg.matching.engine;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The numeric fields that a segment's ranges use, numbered from 1, each with its quantizer. Immutable: a new field makes a new table.
final class Fields {
  static final Fields NONE =
      new Fields(Map.of(), new String[] {""}, new Quantizer[] {Quantizer.logarithmic()});

  /// Fields with a larger number have no byte in the posting; their ranges are left to the exact check.
  static final int MAX_INLINE = 255;

  private final Map<String, Integer> ids;
  private final String[] names;
  private final Quantizer[] quantizers;

  private Fields(Map<String, Integer> ids, String[] names, Quantizer[] quantizers) {
    this.ids = ids;
    this.names = names;
    this.quantizers = quantizers;
  }

  /// The number of a field, or 0.
  int find(String name) {
    return ids.getOrDefault(name, 0);
  }

  Fields with(String name, @Nullable Quantizer quantizer) {
    int id = names.length;
    Map<String, Integer> more = new HashMap<>(ids);
    more.put(name, id);
    String[] moreNames = Arrays.copyOf(names, id + 1);
    Quantizer[] moreQuantizers = Arrays.copyOf(quantizers, id + 1);
    moreNames[id] = name;
    moreQuantizers[id] = quantizer == null ? Quantizer.logarithmic() : quantizer;
    return new Fields(more, moreNames, moreQuantizers);
  }

  String name(int id) {
    return names[id];
  }

  Quantizer quantizer(int id) {
    return quantizers[id];
  }

  boolean isPrice(int id) {
    return names[id].startsWith("price:");
  }

  /// One more than the highest number.
  int end() {
    return names.length;
  }
}
