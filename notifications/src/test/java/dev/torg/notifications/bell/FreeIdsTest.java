package dev.torg.notifications.bell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.notifications.bell.BellMergeStore.SourceEntry;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// The ids of entries in the bell that they are merged into.
class FreeIdsTest {
  private int reads;

  private List<Long> freeIds(List<Long> source, Set<Long> used) throws Exception {
    List<SourceEntry> page =
        source.stream()
            .map(
                id ->
                    new SourceEntry(
                        id,
                        1,
                        0,
                        Instant.EPOCH,
                        false,
                        "k" + id,
                        "news",
                        new byte[0],
                        Optional.empty()))
            .toList();
    return BellMergeStore.freeIds(
        page,
        (first, last) -> {
          reads++;
          return used.stream().filter(id -> id >= first && id <= last).collect(Collectors.toSet());
        });
  }

  @Test
  void freeIds_noneInUse_areUnchanged() throws Exception {
    assertThat(freeIds(List.of(5L, 9L, 1_000_000L), Set.of())).containsExactly(5L, 9L, 1_000_000L);
  }

  @Test
  void freeIds_inUse_getTheNextFreeAndShiftTheFollowing() throws Exception {
    assertThat(freeIds(List.of(5L, 6L, 9L), Set.of(5L, 7L))).containsExactly(6L, 8L, 9L);
  }

  /// Longer than the range that one statement reads.
  @Test
  void freeIds_longRunInUse_isSkippedInSteps() throws Exception {
    Set<Long> row = LongStream.range(5, 1_000).boxed().collect(Collectors.toSet());
    assertThat(freeIds(List.of(5L, 6L), row)).containsExactly(1_000L, 1_001L);
    assertThat(reads).isGreaterThan(1);
  }

  @Test
  void freeIds_anyIds_areFreeDistinctAndInOrder() throws Exception {
    Random random = new Random(7);
    for (int round = 0; round < 500; round++) {
      Set<Long> source = new TreeSet<>();
      Set<Long> used = new HashSet<>();
      for (int i = 0; i < 20; i++) {
        source.add(random.nextLong(60));
        used.add(random.nextLong(60));
      }
      List<Long> ids = freeIds(List.copyOf(source), used);
      assertThat(ids).hasSameSizeAs(source).isSorted().doesNotHaveDuplicates();
      assertThat(ids).doesNotContainAnyElementsOf(used);
    }
  }
}
