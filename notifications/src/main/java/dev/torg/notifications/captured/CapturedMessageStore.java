package dev.torg.notifications.captured;

import dev.torg.notifications.CapturedMessage;
import dev.torg.notifications.Channel;
import dev.torg.notifications.DevelopmentOutbox;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/// SQL over the development outbox. Its rows are in one home, because they are read together. Old rows are deleted
/// together, after several messages.
public final class CapturedMessageStore implements DevelopmentOutbox {
  static final int MAX_MESSAGES = 1_000;
  static final Duration RETENTION = Duration.ofDays(7);

  private static final int MESSAGES_PER_PURGE = 50;
  private static final Home HOME = new Home(0);

  private static final String INSERT =
      """
      INSERT INTO dev_outbox (home, at, id, channel, address, subject, text, html)
      VALUES (?, ?, ?::uuid, ?, ?, ?, ?, ?)
      """;

  private static final String LATEST =
      """
      SELECT channel, address, subject, text, html, at FROM dev_outbox
       WHERE home = ? AND at > ? ORDER BY at DESC, id DESC LIMIT ?
      """;

  private static final String OLDEST_KEPT =
      "SELECT at FROM dev_outbox WHERE home = ? ORDER BY at DESC, id DESC LIMIT 1 OFFSET ?";

  private static final String DELETE = "DELETE FROM dev_outbox WHERE home = ? AND at < ?";

  private final Database database;
  private final InstantSource clock;
  private final AtomicInteger sincePurge = new AtomicInteger();
  private final ReentrantLock purge = new ReentrantLock();

  public CapturedMessageStore(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  @Override
  public List<CapturedMessage> latest() {
    return database.read(
        tx ->
            tx.sql(LATEST)
                .set(HOME)
                .set(clock.instant().minus(RETENTION))
                .set(MAX_MESSAGES)
                .list(CapturedMessageStore::message));
  }

  void add(Channel channel, String to, String subject, String text, String html) {
    CapturedMessage message =
        new CapturedMessage(channel, to, subject, text, html, clock.instant());
    database.transact(tx -> insert(tx, message));
    if (sincePurge.incrementAndGet() >= MESSAGES_PER_PURGE && purge.tryLock()) {
      try {
        sincePurge.set(0);
        database.transact(this::purge);
      } finally {
        purge.unlock();
      }
    }
  }

  private static void insert(Tx tx, CapturedMessage message) throws SQLException {
    tx.sql(INSERT)
        .set(HOME)
        .set(message.at())
        .set(UUID.randomUUID().toString())
        .set(message.channel().name())
        .set(withoutNul(message.to()))
        .set(withoutNul(message.subject()))
        .set(withoutNul(message.text()))
        .set(withoutNul(message.html()))
        .update();
  }

  private void purge(Tx tx) throws SQLException {
    Instant expired = clock.instant().minus(RETENTION);
    Instant kept =
        tx.sql(OLDEST_KEPT)
            .set(HOME)
            .set(MAX_MESSAGES - 1)
            .first(row -> row.instantAt(1))
            .filter(expired::isBefore)
            .orElse(expired);
    tx.sql(DELETE).set(HOME).set(kept).update();
  }

  /// PostgreSQL stores no NUL.
  private static String withoutNul(String text) {
    return text.replace("\0", "");
  }

  private static CapturedMessage message(Row row) throws SQLException {
    return new CapturedMessage(
        Channel.valueOf(row.textAt(1)),
        row.textAt(2),
        row.textAt(3),
        row.textAt(4),
        row.textAt(5),
        row.instantAt(6));
  }
}
