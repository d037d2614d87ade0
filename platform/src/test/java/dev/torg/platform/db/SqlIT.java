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
  private record Sample(
      Home home,
      long id,
      @Nullable String text,
      byte @Nullable [] bytes,
      @Nullable Instant at,
      boolean flag) {}

  private static final List<Sample> SAMPLES =
      List.of(
          new Sample(
              new Home(0),
              Long.MAX_VALUE,
              "a, \"b\" {c} \\ NULL ё",
              new byte[] {0, -1, 39, 92},
              Instant.parse("2026-11-15T20:44:55.123456Z"),
              true),
          new Sample(new Home(255), -1, null, null, null, false),
          new Sample(
              new Home(7), 0, "", new byte[0], Instant.parse("1999-12-31T23:59:59.999999Z"), true),
          new Sample(new Home(7), 1, "NULL", new byte[] {1}, Instant.EPOCH, false));

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
  void unnest_allKindsOfColumns_areReadBackAsSent(String options) {
    try (Database database = Database.connect(DATABASE.url() + options, 1)) {
      for (int run = 0; run < 7; run++) {
        assertThat(database.read(SqlIT::thereAndBack))
            .usingRecursiveFieldByFieldElementComparator()
            .containsExactlyElementsOf(SAMPLES);
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
  void set_singleValues_areReadBackAsSent() {
    Instant now = Instant.parse("2026-11-15T20:44:55.000001Z");
    String sql =
        "SELECT ?::int, ?::bigint, ?::text, ?::bytea, ?::timestamptz, ?::boolean, ?::timestamptz";
    try (Database database = Database.connect(DATABASE.url(), 1)) {
      Optional<Sample> sample =
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
                            return sample(row);
                          }));
      assertThat(sample.orElseThrow())
          .usingRecursiveComparison()
          .isEqualTo(new Sample(new Home(9), 5, "five", new byte[] {5}, now, true));
    }
  }

  private static List<Sample> thereAndBack(Tx tx) throws java.sql.SQLException {
    return tx.sql(
            """
            SELECT * FROM unnest(
              ?::int[], ?::bigint[], ?::text[], ?::bytea[], ?::timestamptz[], ?::boolean[])
            """)
        .homes(SAMPLES, Sample::home)
        .longs(SAMPLES, Sample::id)
        .texts(SAMPLES, Sample::text)
        .bytes(SAMPLES, Sample::bytes)
        .instants(SAMPLES, Sample::at)
        .booleans(SAMPLES, Sample::flag)
        .list(SqlIT::sample);
  }

  private static Sample sample(Row row) throws java.sql.SQLException {
    return new Sample(
        row.homeAt(1),
        row.longAt(2),
        row.optionalTextAt(3).orElse(null),
        row.optionalBytesAt(4).map(bytes -> Arrays.copyOf(bytes, bytes.length)).orElse(null),
        row.optionalInstantAt(5).orElse(null),
        row.booleanAt(6));
  }
}
