package dev.torg.testkit.citus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every parameter is a home of one shard, except for tests of others.
class CitusRulesTest {
  private static final Set<String> DISTRIBUTED = Set.of("offer", "favorite", "homes", "bell");

  /// Both are of one shard.
  private static final List<Integer> HOMES = List.of(3, 35);

  private static final List<Integer> TWO_SHARDS = List.of(3, 4);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT id FROM offer",
        "SELECT id FROM lease FOR UPDATE",
        "SELECT o.id FROM unnest(?::int[]) AS k (home) JOIN offer o ON o.home = k.home"
            + " WHERE o.home = ANY (?::int[]) ORDER BY o.id FOR NO KEY UPDATE OF o",
        "SELECT id FROM offer WHERE home = ? FOR UPDATE SKIP LOCKED",
        "SELECT o.id FROM offer o JOIN favorite f ON f.home = o.home AND f.id = o.id",
        "SELECT o.id FROM offer o JOIN favorite f USING (home, id)",
        "SELECT o.id FROM offer o JOIN favorite f ON f.id = o.id WHERE o.home = ? AND f.home = ?",
        "SELECT x.id FROM unnest(?::int[]) AS k (home) CROSS JOIN LATERAL (SELECT o.id FROM offer o"
            + " WHERE o.home = k.home AND o.home = ANY (?::int[]) LIMIT 3) x",
        "INSERT INTO offer AS o (id, home) VALUES (?, ?) ON CONFLICT (home) DO UPDATE SET n = ?",
        "INSERT INTO offer (home, id) SELECT k.home, k.id FROM (SELECT h.home, u.id FROM homes h"
            + " JOIN unnest(?::int[], ?::bigint[]) AS u (home, id) ON u.home = h.home"
            + " WHERE h.home = ANY (?::int[])) AS k ON CONFLICT (home) DO UPDATE SET n = excluded.n",
        "INSERT INTO offer (home, id) SELECT o.home, o.id FROM favorite o WHERE o.home = ?",
        "INSERT INTO lease (work) SELECT w FROM unnest(?::text[]) w",
        "UPDATE offer o SET n = k.n FROM unnest(?::int[]) AS k (home)"
            + " WHERE o.home = k.home AND o.home = ANY (?::int[])",
        "UPDATE offer SET at = now() WHERE home = ?",
        "DELETE FROM offer o USING unnest(?::int[]) AS k (home) WHERE o.home = k.home"
            + " AND o.home = ANY (?::int[]) RETURNING o.id",
        "DELETE FROM offer WHERE home = ? AND id IN (SELECT id FROM offer WHERE home = ? LIMIT ?)",
        "DELETE FROM offer p WHERE p.home = ? AND NOT EXISTS ("
            + "SELECT FROM favorite f WHERE f.home = p.home AND f.id = p.id)",
      })
  void check_whatCitusRuns_isAccepted(String sql) throws SQLException {
    CitusRules.check(new SqlStatement(sql, DISTRIBUTED), _ -> HOMES);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT k.home FROM (SELECT h.home FROM homes h JOIN unnest(?::int[]) AS u (home)"
            + " ON u.home = h.home WHERE h.home = ANY (?::int[])) AS k"
            + " WHERE EXISTS (SELECT FROM offer o WHERE o.home = k.home)",
        "(SELECT id FROM offer WHERE home = ANY (?) LIMIT 3) UNION ALL"
            + " (SELECT id FROM favorite WHERE home = ANY (?) LIMIT 3)",
        "SELECT id FROM offer UNION ALL SELECT id FROM favorite",
        "SELECT o.id FROM offer o JOIN (SELECT f.home, f.id FROM favorite f) g ON g.home = o.home",
      })
  void check_readOfSeveralShardsThatCitusRuns_isAccepted(String sql) throws SQLException {
    CitusRules.check(new SqlStatement(sql, DISTRIBUTED), _ -> TWO_SHARDS);
  }

  @Test
  void check_write_returnsItsShard() throws SQLException {
    assertThat(
            CitusRules.check(
                new SqlStatement("DELETE FROM offer WHERE home = ?", DISTRIBUTED), _ -> HOMES))
        .contains(FakeCitus.shard(3));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT id FROM offer FOR UPDATE",
        "SELECT o.id FROM offer o ORDER BY id FOR SHARE OF o",
        "SELECT o.id FROM unnest(?::int[]) AS k (home) JOIN offer o ON o.home = k.home WHERE TRUE FOR UPDATE",
        "SELECT o.id FROM offer o JOIN favorite f ON f.home = o.home WHERE o.home = ANY (?) FOR UPDATE",
      })
  void check_lockWithoutTheHomesOfAShard_isRefused(String sql) {
    assertRefused(sql, HOMES, "could not run distributed query with FOR UPDATE/SHARE commands");
  }

  @Test
  void check_lockOfTwoShards_isRefused() {
    assertRefused(
        "SELECT id FROM offer WHERE home = ANY (?::int[]) FOR UPDATE",
        TWO_SHARDS,
        "could not run distributed query with FOR UPDATE/SHARE commands");
  }

  @Test
  void check_noHomes_isRefused() {
    assertRefused("SELECT id FROM offer WHERE home = ANY (?::int[])", List.of(), "empty list");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DELETE FROM offer WHERE home = ANY (?::int[])",
        "INSERT INTO offer (home, id) VALUES (?, 1)",
      })
  void check_writeOfTwoShards_isRefused(String sql) {
    assertRefused(sql, TWO_SHARDS, "two-phase commit");
  }

  @Test
  void check_writeOfAllShards_isRefused() {
    assertRefused("UPDATE offer SET n = 1", HOMES, "all shards");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO offer (home) SELECT k.home FROM unnest(?::int[]) AS k (home) ON CONFLICT DO NOTHING",
        "INSERT INTO offer (home, id) SELECT ?, k.id FROM unnest(?::int[]) AS k (id)",
      })
  void check_insertOfUnnestedRows_isRefused(String sql) {
    assertRefused(sql, HOMES, "copied by the coordinator");
  }

  @Test
  void check_parameterInDoUpdateOfUnnestedRows_isRefused() {
    assertRefused(
        "INSERT INTO bell (home) SELECT k.home FROM unnest(?::int[]) AS k (home)"
            + " ON CONFLICT (home) DO UPDATE SET seq = bell.seq + ?",
        HOMES,
        "could not determine data type of parameter");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO offer (home) VALUES (?) ON CONFLICT (home) DO UPDATE SET at = now()",
        "INSERT INTO offer (home) VALUES (?) ON CONFLICT (home) DO UPDATE SET at = excluded.at + interval '1 s'",
      })
  void check_unstableFunctionInDoUpdate_isRefused(String sql) {
    assertRefused(sql, HOMES, "must be marked IMMUTABLE");
  }

  @Test
  void check_unstableFunctionOfColumnsInUpdate_isRefused() {
    assertRefused(
        "UPDATE offer o SET at = o.at + interval '1 s' WHERE o.home = ?",
        HOMES,
        "STABLE functions");
  }

  @Test
  void check_joinWithoutHome_isRefused() {
    assertRefused(
        "SELECT o.id FROM offer o JOIN favorite f ON f.id = o.id", HOMES, "complex joins");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT (SELECT o.id FROM offer o WHERE o.home = k.home) FROM unnest(?::int[]) AS k (home)",
        "SELECT x.id FROM unnest(?::int[]) AS k (home) CROSS JOIN LATERAL (SELECT o.id FROM offer o"
            + " WHERE o.home = k.home LIMIT 3) x",
      })
  void check_subqueryOverFunctionWithoutHomes_isRefused(String sql) {
    assertRefused(sql, HOMES, "correlated subqueries are not supported");
  }

  @Test
  void check_changeOfHome_isRefused() {
    assertRefused("UPDATE offer SET home = 3 WHERE home = ?", HOMES, "partition value");
  }

  @Test
  void check_insertOfRowsDeletedInTheSameStatement_isRefused() {
    assertRefused(
        "WITH old AS (DELETE FROM favorite WHERE home = ? RETURNING home, id)"
            + " INSERT INTO offer (home, id) SELECT home, id FROM old",
        HOMES,
        "copied by the coordinator");
  }

  private static void assertRefused(String sql, List<Integer> homes, String message) {
    assertThatThrownBy(() -> CitusRules.check(new SqlStatement(sql, DISTRIBUTED), _ -> homes), sql)
        .isInstanceOf(SQLException.class)
        .hasMessageContaining(message);
  }
}
