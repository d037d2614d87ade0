package dev.torg.matching.engine;

import dev.torg.matching.SearchId;

/// The layout of one query in a segment's `int[]`: ordinal, search id, program length, program. The id lies
/// next to the clauses, so that reporting a match costs no further memory access.
final class Records {
  static final int ID = 1;
  static final int LENGTH = 6;
  static final int PROGRAM = 7;

  private Records() {}

  static int size(int programLength) {
    return PROGRAM + programLength;
  }

  static int sizeAt(int[] records, int at) {
    return PROGRAM + records[at + LENGTH];
  }

  static void write(int[] records, int at, int ordinal, SearchId id, Program program) {
    records[at] = ordinal;
    records[at + ID] = (int) (id.first() >>> 32);
    records[at + ID + 1] = (int) id.first();
    records[at + ID + 2] = (int) (id.second() >>> 32);
    records[at + ID + 3] = (int) id.second();
    records[at + ID + 4] = id.third();
    records[at + LENGTH] = program.length;
    System.arraycopy(program.code, 0, records, at + PROGRAM, program.length);
  }

  static SearchId id(int[] records, int at) {
    return new SearchId(
        Program.longAt(records, at + ID),
        Program.longAt(records, at + ID + 2),
        records[at + ID + 4]);
  }

  static boolean hasId(int[] records, int at, SearchId id) {
    return Program.longAt(records, at + ID) == id.first()
        && Program.longAt(records, at + ID + 2) == id.second()
        && records[at + ID + 4] == id.third();
  }
}
