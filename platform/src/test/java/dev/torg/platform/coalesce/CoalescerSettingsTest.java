package dev.torg.platform.coalesce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.platform.db.ShardMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CoalescerSettingsTest {
  private static final ShardMap SHARDS = ShardMap.single();

  @ParameterizedTest
  @CsvSource({"0, 1, 1", "1, 0, 1", "1, 1, 0", "-1, 1, 1"})
  void new_anyLimitNotPositive_isRefused(int parallel, int maxBatch, int capacity) {
    assertThatThrownBy(() -> new CoalescerSettings("test", SHARDS, parallel, maxBatch, capacity))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void with_oneLimit_keepsTheOthers() {
    CoalescerSettings smallest = new CoalescerSettings("test", SHARDS, 1, 1, 1);

    assertThat(smallest.withMaxBatch(7)).isEqualTo(new CoalescerSettings("test", SHARDS, 1, 7, 1));
    assertThat(smallest.withCapacity(9)).isEqualTo(new CoalescerSettings("test", SHARDS, 1, 1, 9));
  }
}
