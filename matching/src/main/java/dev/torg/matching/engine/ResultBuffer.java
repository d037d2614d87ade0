package dev.torg.matching.engine;

import java.util.Arrays;

/// Search ids of matches as they are found. A query filed under several keys of its segment is
/// counted once.
final class ResultBuffer {
  private int[] ids = new int[5 * 64];
  private int length;
  private int[] several = new int[16];
  private int severalCount;

  void clear() {
    length = 0;
  }

  void add(int[] records, int record, boolean underSeveralKeys) {
    if (!underSeveralKeys) {
      add(records, record);
      return;
    }
    if (severalCount == several.length) {
      several = Arrays.copyOf(several, 2 * severalCount);
    }
    several[severalCount++] = record;
  }

  private void add(int[] records, int record) {
    if (length + 5 > ids.length) {
      ids = Arrays.copyOf(ids, 2 * ids.length);
    }
    System.arraycopy(records, record + Records.ID, ids, length, 5);
    length += 5;
  }

  void endSegment(Segment segment) {
    Arrays.sort(several, 0, severalCount);
    for (int i = 0; i < severalCount; i++) {
      if (i == 0 || several[i] != several[i - 1]) {
        add(segment.records(), several[i]);
      }
    }
    severalCount = 0;
  }

  Matches matches(long scanned, long checked, long failed) {
    return new Matches(Arrays.copyOf(ids, length), scanned, checked, failed);
  }
}
