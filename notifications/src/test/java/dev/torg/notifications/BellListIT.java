package dev.torg.notifications;

import static dev.torg.notifications.BellFixture.about;
import static dev.torg.notifications.BellFixture.recipient;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.ListNotificationsResponse;
import dev.torg.api.v1.Notification;
import dev.torg.notifications.bell.BellFilter;
import dev.torg.notifications.bell.BellReader;
import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Tx;
import dev.torg.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The filters of the list, and how many rows a page reads in a bell with 100,000 entries.
class BellListIT {
  @RegisterExtension static final TestDatabase TABLES = BellFixture.tables();

  private static final BellFixture FIXTURE = new BellFixture(TABLES);
  private static final BellReader READER = new BellReader(InstantSource.fixed(BellFixture.NOW));
  private static final String LARGE = recipient();
  private static final int PAGE_SIZE = 50;

  /// The oldest entries are five of `account`, one of them read; the others are unread, alternately of two topics,
  /// except five that were read.
  private static final BatchSql<Integer> FILL =
      BatchColumns.<Integer>of(_ -> Home.of(LARGE))
          .texts("owner", _ -> LARGE)
          .longs("id", number -> number)
          .sql(
              """
              INSERT INTO notification
                (home, owner, id, seq, key, topic, created_at, read, size, body)
              SELECT k.home, k.owner, k.id, k.id, 'k' || k.id,
                     CASE WHEN k.id <= 5 THEN 'account'
                          WHEN k.id % 2 = 0 THEN 'searches' ELSE 'prices' END,
                     to_timestamp(k.id), k.id = 1 OR k.id BETWEEN 11 AND 15, 1, ''
                FROM :rows(k)
              """);

  private static final String COUNTS =
      """
      INSERT INTO unread (home, owner, topic, count)
      SELECT home, owner, topic, count(*)::int FROM notification
       WHERE home = ? AND owner = ? AND NOT read GROUP BY home, owner, topic
      """;

  private static final String ROWS_READ =
      """
      SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::bigint
        FROM pg_stat_xact_user_tables WHERE relname LIKE 'notification%'
      """;

  @BeforeAll
  static void fill() throws SQLException {
    FIXTURE.database.inTransaction(
        tx -> {
          for (int i = 0; i < 10; i++) {
            tx.sql(FILL, IntStream.rangeClosed(i * 10_000 + 1, (i + 1) * 10_000).boxed().toList())
                .update();
          }
          return tx.sql(COUNTS).set(Home.of(LARGE)).set(LARGE).update();
        });
    try (Connection connection = FIXTURE.database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("ANALYZE notification");
    }
  }

  @AfterAll
  static void close() {
    FIXTURE.close();
  }

  private static BellFilter filter(@Nullable Boolean read, String... topics) {
    return new BellFilter(List.of(topics), false, Optional.ofNullable(read));
  }

  static Stream<Arguments> filters() {
    return Stream.of(
        Arguments.of(filter(null), 50),
        Arguments.of(filter(false), 50),
        Arguments.of(filter(true), 6),
        Arguments.of(filter(null, "account"), 5),
        Arguments.of(filter(true, "account"), 1),
        Arguments.of(filter(false, "account"), 4),
        Arguments.of(filter(true, "searches"), 2),
        Arguments.of(filter(null, "searches"), 50),
        Arguments.of(filter(null, "account", "prices"), 50),
        Arguments.of(filter(true, "account", "prices"), 4),
        Arguments.of(filter(null, "news"), 0));
  }

  /// With a plan for these parameters, and with one for any: the server chooses one of them.
  @ParameterizedTest
  @MethodSource("filters")
  void list_largeBell_readsAboutAsManyRowsAsItReturns(BellFilter filter, int expected) {
    for (String mode : List.of("force_custom_plan", "force_generic_plan")) {
      FIXTURE.database.inTransaction(
          tx -> {
            plan(tx, mode);
            long before = rowsRead(tx);
            List<BellReader.Entry> page = READER.list(tx, LARGE, Long.MAX_VALUE, filter, PAGE_SIZE);
            assertThat(page).hasSize(expected);
            assertThat(rowsRead(tx) - before).as(mode).isLessThanOrEqualTo(4L * PAGE_SIZE);
            return page;
          });
    }
  }

  @Test
  void unreadCount_largeBell_readsNoEntries() {
    for (String mode : List.of("force_custom_plan", "force_generic_plan")) {
      FIXTURE.database.inTransaction(
          tx -> {
            plan(tx, mode);
            long before = rowsRead(tx);
            assertThat(READER.unreadCount(tx, LARGE).getTotal()).isEqualTo(100_000 - 6);
            assertThat(rowsRead(tx) - before).as(mode).isZero();
            return mode;
          });
    }
  }

  private static void plan(Tx tx, String mode) throws SQLException {
    tx.sql("SELECT set_config('plan_cache_mode', ?, true)").set(mode).first(_ -> true);
  }

  /// Of entries, by this connection since its statistics were reported.
  private static long rowsRead(Tx tx) throws SQLException {
    return tx.sql(ROWS_READ).first(row -> row.longAt(1)).orElseThrow();
  }

  @Test
  void list_byReadStateAndTopics_pagesNewestFirst() {
    String recipient = recipient();
    List<String> topics = List.of("searches", "prices", "news");
    for (int i = 0; i < 12; i++) {
      FIXTURE.write(about(recipient, "n" + i, topics.get(i % 3)));
    }
    List<Notification> entries = FIXTURE.list(recipient);
    FIXTURE.service.markRead(
        recipient, entries.subList(0, 6).stream().map(Notification::getId).toList(), "", false);
    assertThat(pages(recipient, filter(true)))
        .containsExactly("n11", "n10", "n9", "n8", "n7", "n6");
    assertThat(pages(recipient, filter(false))).containsExactly("n5", "n4", "n3", "n2", "n1", "n0");
    assertThat(pages(recipient, filter(null, "searches", "news")))
        .containsExactly("n11", "n9", "n8", "n6", "n5", "n3", "n2", "n0");
    assertThat(pages(recipient, filter(true, "searches", "news")))
        .containsExactly("n11", "n9", "n8", "n6");
    assertThat(pages(recipient, filter(false, "prices"))).containsExactly("n4", "n1");
    BellFilter contradiction = new BellFilter(List.of(), true, Optional.of(true));
    assertThat(pages(recipient, contradiction)).isEmpty();
  }

  private static List<String> pages(String recipient, BellFilter filter) {
    List<String> titles = new ArrayList<>();
    String token = "";
    do {
      ListNotificationsResponse page = FIXTURE.service.list(recipient, filter, 2, token);
      page.getNotificationsList().forEach(entry -> titles.add(entry.getTitle()));
      token = page.getNextPageToken();
    } while (!token.isEmpty());
    return titles;
  }
}
