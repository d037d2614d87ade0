package dev.torg.platform.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.platform.OfferId;
import org.junit.jupiter.api.Test;

class BatchSqlTest {
  private static final BatchColumns<OfferId> IDS =
      BatchColumns.of(OfferId::home).longs("id", OfferId::number);

  @Test
  void text_joinOnPlainPostgresql_hasNoConditionOnHome() {
    assertThat(select().text(false))
        .isEqualTo("SELECT o.id FROM unnest(?::int[], ?::bigint[]) AS k (home, id) WHERE TRUE");
  }

  @Test
  void text_joinOnDistributedTables_restrictsHome() {
    assertThat(select().text(true))
        .isEqualTo(
            "SELECT o.id FROM unnest(?::int[], ?::bigint[]) AS k (home, id)"
                + " WHERE o.home = ANY (?::int[])");
  }

  @Test
  void text_numberedBatch_hasOrdinality() {
    assertThat(IDS.sql("SELECT k.n FROM :batch(k, n)").text(false))
        .isEqualTo(
            "SELECT k.n FROM unnest(?::int[], ?::bigint[]) WITH ORDINALITY AS k (home, id, n)");
  }

  @Test
  void text_rowsOnPlainPostgresql_areUnnested() {
    assertThat(IDS.sql("INSERT INTO t SELECT k.home, k.id FROM :rows(k)").text(false))
        .isEqualTo(
            "INSERT INTO t SELECT k.home, k.id FROM unnest(?::int[], ?::bigint[]) AS k (home, id)");
  }

  @Test
  void text_rowsOnDistributedTables_joinTheHomesOfTheShard() {
    assertThat(IDS.sql("INSERT INTO t SELECT k.home, k.id FROM :rows(k)").text(true))
        .isEqualTo(
            "INSERT INTO t SELECT k.home, k.id FROM (SELECT h.home, u.id FROM homes h"
                + " JOIN unnest(?::int[], ?::bigint[]) AS u (home, id) ON u.home = h.home"
                + " WHERE h.home = ANY (?::int[])) AS k");
  }

  @Test
  void text_castToTheNameOfAMarker_isNoMarker() {
    assertThat(IDS.sql("SELECT x::batch(3) FROM :batch(k)").text(false))
        .startsWith("SELECT x::batch(3) FROM unnest");
  }

  @Test
  void sql_noBatch_isRefused() {
    assertThatThrownBy(() -> IDS.sql("SELECT 1")).isInstanceOf(IllegalArgumentException.class);
  }

  private static BatchSql<OfferId> select() {
    return IDS.sql("SELECT o.id FROM :batch(k) WHERE :shard(o)");
  }
}
