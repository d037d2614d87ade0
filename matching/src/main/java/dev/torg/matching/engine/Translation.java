package dev.torg.matching.engine;

import java.util.Arrays;

/// Rewrites programs from one segment's numbers to those of another. A feature is interned at its first
/// occurrence.
final class Translation {
  private final Segment from;
  private final Vocabulary vocabulary;
  private final int[] features;
  private final int[] fields;

  Translation(Segment from, Vocabulary vocabulary, Fields to) {
    this.from = from;
    this.vocabulary = vocabulary;
    this.features = new int[from.vocabulary().size()];
    this.fields = new int[from.fields().end()];
    Arrays.fill(features, -1);
    for (int id = 1; id < fields.length; id++) {
      fields[id] = to.find(from.fields().name(id));
    }
  }

  int[] code() {
    return from.records();
  }

  void translate(int record, Program program) {
    int[] code = from.records();
    program.clear();
    int end = record + Records.sizeAt(code, record);
    for (int at = record + Records.PROGRAM; at < end; at += 1 + Program.operands(code[at])) {
      program.begin(Program.operation(code[at]));
      if (Program.operation(code[at]) == Program.RANGE) {
        range(code, at + 1, program);
      } else {
        for (int i = 1; i <= Program.operands(code[at]); i++) {
          program.operand(feature(code[at + i]));
        }
      }
    }
  }

  private void range(int[] code, int at, Program program) {
    program.operand(fields[code[at]]);
    for (int i = 1; i < Program.RANGE_OPERANDS; i++) {
      program.operand(code[at + i]);
    }
  }

  private int feature(int id) {
    if (features[id] < 0) {
      features[id] = vocabulary.intern(from.vocabulary().get(id));
    }
    return features[id];
  }
}
