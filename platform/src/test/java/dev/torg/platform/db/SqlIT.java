package dev.torg.platform.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.platform.Home;
import dev.torg.testkit.TestDatabase;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlIT {
  private static final TestDatabase DATABASE = TestDatabase.empty();

  @SuppressWarnings("ArrayRecordComponent") // compared field by field
  private record Thing(
      Home home,
      long id,
      @Nullable String text,
      byte @Nullable [] bytes,
      @Nullable Instant at,
      boolean good) {}

  private static final List<Thing> THINGS =
      List.of(
          new Thing(
              new Home(0),
              Long.MAX_VALUE,
              "a, \"b\" {c} \\ NULL ё",
              new byte[] {0, -1, 39, 92},
              Instant.parse("2026-11-15T20:44:55.123456Z"),
              true),
          new Thing(new Home(255), -1, null, null, null, false),
          new Thing(
              new Home(7), 0, "", new byte[0], Instant.parse("1999-12-31T23:59:59.999999Z"), true),
          new Thing(new Home(7), 1, "NULL", new byte[] {1}, Instant.EPOCH, false));

  @AfterAll
  static void drop() {
    DATABASE.close();
  }

  /// The first run of a statement and the later ones take different paths through the driver, and so does a
  /// connection that does not use the binary format.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "&binaryTransfer=false&binaryTransferDisable=TIMESTAMPTZ_ARRAY",
        "&prepareThreshold=0"
      })
  void unnest_allKindsOfColumns_comeBackAsSent(String options) {
    try (Database database = Database.connect(DATABASE.url() + options, 1)) {
      for (int run = 0; run < 7; run++) {
        assertThat(database.read(SqlIT::thereAndBack))
            .usingRecursiveFieldByFieldElementComparator()
            .containsExactlyElementsOf(THINGS);
      }
    }
  }

  @Test
  void unnest_emptyBatch_isEmpty() {
    try (Database database = Database.connect(DATABASE.url(), 1)) {
      String sql = "SELECT t FROM unnest(?::int[], ?::timestamptz[]) AS t (i, t)";
      int[] none = {};
      Instant[] never = {};
      assertThat(
              database.<List<Instant>>read(
                  tx -> tx.sql(sql).ints(none).instants(never).list(row -> row.instantAt(1))))
          .isEmpty();
    }
  }

  @Test
  void set_singleValues_comeBackAsSent() {
    Instant now = Instant.parse("2026-11-15T20:44:55.000001Z");
    String sql =
        "SELECT ?::int, ?::bigint, ?::text, ?::bytea, ?::timestamptz, ?::boolean, ?::timestamptz";
    try (Database database = Database.connect(DATABASE.url(), 1)) {
      Optional<Thing> thing =
          database.read(
              tx ->
                  tx.sql(sql)
                      .set(new Home(9))
                      .set(5L)
                      .set("five")
                      .set(new byte[] {5})
                      .set(now)
                      .set(true)
                      .set((Instant) null)
                      .first(
                          row -> {
                            assertThat(row.isNullAt(7)).isTrue();
                            return thing(row);
                          }));
      assertThat(thing.orElseThrow())
          .usingRecursiveComparison()
          .isEqualTo(new Thing(new Home(9), 5, "five", new byte[] {5}, now, true));
    }
  }

  private static List<Thing> thereAndBack(Tx tx) throws java.sql.SQLException {
    return tx.sql(
            """
            SELECT * FROM unnest(
              ?::int[], ?::bigint[], ?::text[], ?::bytea[], ?::timestamptz[], ?::boolean[])
            """)
        .homes(THINGS, Thing::home)
        .longs(THINGS, Thing::id)
        .texts(THINGS, Thing::text)
        .bytes(THINGS, Thing::bytes)
        .instants(THINGS, Thing::at)
        .booleans(THINGS, Thing::good)
        .list(SqlIT::thing);
  }

  private static Thing thing(Row row) throws java.sql.SQLException {
    return new Thing(
        row.homeAt(1),
        row.longAt(2),
        row.optionalTextAt(3).orElse(null),
        row.optionalBytesAt(4).map(bytes -> Arrays.copyOf(bytes, bytes.length)).orElse(null),
        row.optionalInstantAt(5).orElse(null),
        row.booleanAt(6));
  }
}
