package dev.torg.platform.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.platform.Home;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShardMapTest {
  /// Shard ids 700 and 800 by turns, as home 0 is of shard 800.
  private static final ShardMap TWO =
      ShardMap.of(IntStream.range(0, Home.COUNT).mapToLong(h -> h % 2 == 0 ? 800 : 700).toArray());

  @Test
  void single_anyHome_isShardZero() {
    assertThat(ShardMap.single().count()).isEqualTo(1);
    assertThat(ShardMap.single().shardOf(new Home(255))).isZero();
  }

  @Test
  void shardOf_twoShards_numbersThemByFirstHome() {
    assertThat(TWO.count()).isEqualTo(2);
    assertThat(TWO.shardOf(new Home(0))).isZero();
    assertThat(TWO.shardOf(new Home(255))).isEqualTo(1);
  }

  @Test
  void homes_oneOfTwoShards_areThoseOfTheShard() {
    assertThat(TWO.homes(1)).hasSize(128).contains(new Home(1), new Home(255));
  }

  @Test
  void split_severalShards_keepsOrderWithinEach() {
    assertThat(TWO.split(List.of(5, 4, 3, 2, 1), Home::new))
        .containsExactly(List.of(4, 2), List.of(5, 3, 1));
  }

  @Test
  void split_noItems_isEmpty() {
    assertThat(TWO.split(List.<Integer>of(), Home::new)).isEmpty();
    assertThat(ShardMap.single().split(List.<Integer>of(), Home::new)).isEmpty();
  }
}
