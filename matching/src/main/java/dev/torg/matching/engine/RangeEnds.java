package dev.torg.matching.engine;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/// Collects the ends of ranges, field by field, and derives the fields of a new segment from them.
final class RangeEnds {
  private static final class Ends {
    private long[] values = new long[64];
    private int count;
    private long seen;
  }

  private final int maxEnds;
  private final Map<String, Ends> byField = new LinkedHashMap<>();

  RangeEnds(int max) {
    this.maxEnds = max;
  }

  void take(Fields fields, int[] code, int from, int to) {
    for (int at = from; at < to; at += 1 + Program.operands(code[at])) {
      if (Program.operation(code[at]) == Program.RANGE) {
        Ends ends = byField.computeIfAbsent(fields.name(code[at + 1]), name -> new Ends());
        long low = Program.longAt(code, at + 2);
        long high = Program.longAt(code, at + 4);
        add(ends, low);
        add(ends, high == Long.MAX_VALUE ? high : high + 1);
      }
    }
  }

  /// Past the limit a new end replaces an old one ever more rarely, by a fixed pattern.
  private void add(Ends ends, long end) {
    if (end == Long.MIN_VALUE || end == Long.MAX_VALUE) {
      return;
    }
    ends.seen++;
    if (ends.count < maxEnds) {
      if (ends.count == ends.values.length) {
        ends.values = Arrays.copyOf(ends.values, 2 * ends.count);
      }
      ends.values[ends.count++] = end;
    } else {
      long index = Math.floorMod(ends.seen * 0x9E3779B97F4A7C15L >>> 16, ends.seen);
      if (index < maxEnds) {
        ends.values[(int) index] = end;
      }
    }
  }

  Fields fields() {
    Fields fields = Fields.NONE;
    for (Map.Entry<String, Ends> entry : byField.entrySet()) {
      Ends ends = entry.getValue();
      fields = fields.with(entry.getKey(), Quantizer.ofEnds(ends.values, ends.count));
    }
    return fields;
  }
}
