package dev.torg.matching.engine;

import dev.torg.matching.SearchId;
import java.util.List;
import java.util.stream.IntStream;

/// The queries that an offer satisfies, each once and in no order, and what finding them took.
public final class Matches {
  private static final int INTS = SearchId.BYTES / 4;

  private final int[] ids;
  private final long scanned;
  private final long checked;
  private final long failed;

  Matches(int[] ids, long scanned, long checked, long failed) {
    this.ids = ids;
    this.scanned = scanned;
    this.checked = checked;
    this.failed = failed;
  }

  public int size() {
    return ids.length / INTS;
  }

  public SearchId id(int index) {
    int at = INTS * index;
    return new SearchId(Program.longAt(ids, at), Program.longAt(ids, at + 2), ids[at + 4]);
  }

  public List<SearchId> ids() {
    return IntStream.range(0, size()).mapToObj(this::id).toList();
  }

  /// Postings whose signature was checked.
  public long scanned() {
    return scanned;
  }

  /// Candidates checked exactly.
  public long checked() {
    return checked;
  }

  /// Candidates that could not be checked.
  public long failed() {
    return failed;
  }
}
