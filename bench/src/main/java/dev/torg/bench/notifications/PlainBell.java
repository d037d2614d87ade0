package dev.torg.bench.notifications;

import dev.torg.api.v1.Notification;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;

/// The baselines: the rows that a campaign writes per recipient (bell, entry, unread count), written as fast as
/// PostgreSQL loads them, and as a service writes them that notifies one person per transaction. The tables have the
/// indexes that they always have.
final class PlainBell implements AutoCloseable {
  /// Recipients per `COPY` of each table: some megabytes of text.
  private static final int CHUNK = 20_000;

  private static final String TOPIC = "news";

  private final Connection connection;
  private final byte[] body;
  private final CopiedTable bells = new CopiedTable("bell (home, owner, seq)");
  private final CopiedTable entries =
      new CopiedTable(
          "notification (home, owner, id, seq, key, topic, created_at, read, size, body)");
  private final CopiedTable unread = new CopiedTable("unread (home, owner, topic, count)");

  PlainBell(String database, Notification content) throws SQLException {
    this.connection = DriverManager.getConnection("jdbc:" + database);
    this.body = content.toByteArray();
  }

  /// Copies an entry for each of some new people, named by the prefix and a number. Returns the time that PostgreSQL
  /// took, without that of generating the text.
  Duration copy(String prefix, int people) throws SQLException, IOException {
    Instant now = Instant.now();
    long id = EpochMicros.of(now);
    String text = CopiedTable.bytes(body);
    long nanos = 0;
    for (int i = 0; i < people; i++) {
      String owner = prefix + i;
      int home = Home.of(owner).number();
      bells.add(home, owner, id);
      entries.add(home, owner, id, id, "campaign:copied", TOPIC, now, false, 1, text);
      unread.add(home, owner, TOPIC, 1);
      if (i % CHUNK == CHUNK - 1 || i == people - 1) {
        nanos += flush();
      }
    }
    return Duration.ofNanos(nanos);
  }

  /// Copies entries of one person.
  void copyEntries(String owner, int count) throws SQLException, IOException {
    Instant now = Instant.now();
    long last = EpochMicros.of(now);
    int home = Home.of(owner).number();
    String text = CopiedTable.bytes(body);
    for (int i = 0; i < count; i++) {
      long id = last - i;
      entries.add(home, owner, id, id, "k" + i, TOPIC, now.minusSeconds(i), false, 1, text);
    }
    bells.add(home, owner, last);
    unread.add(home, owner, TOPIC, count);
    var _ = flush();
    execute("VACUUM (ANALYZE) notification");
  }

  private long flush() throws SQLException, IOException {
    return bells.flush(connection) + entries.flush(connection) + unread.flush(connection);
  }

  /// Writes entries for some new people until the time is up, one durable transaction each. Returns how many.
  int insertEach(String prefix, long nanos) throws SQLException {
    connection.setAutoCommit(false);
    long end = System.nanoTime() + nanos;
    int written = 0;
    while (System.nanoTime() < end) {
      insert(prefix + written);
      written++;
    }
    connection.setAutoCommit(true);
    return written;
  }

  private void insert(String owner) throws SQLException {
    int home = Home.of(owner).number();
    Instant now = Instant.now();
    long id = EpochMicros.of(now);
    try (PreparedStatement bell =
            connection.prepareStatement(
                "INSERT INTO bell (home, owner, seq) VALUES (?, ?, ?) ON CONFLICT (home, owner)"
                    + " DO UPDATE SET seq = excluded.seq");
        PreparedStatement entry =
            connection.prepareStatement(
                "INSERT INTO notification (home, owner, id, seq, key, topic, created_at, read,"
                    + " size, body) VALUES (?, ?, ?, ?, ?, ?, now(), false, 1, ?)");
        PreparedStatement unread =
            connection.prepareStatement(
                "INSERT INTO unread (home, owner, topic, count) VALUES (?, ?, ?, 1)"
                    + " ON CONFLICT (home, owner, topic) DO UPDATE SET count = unread.count + 1")) {
      bell.setInt(1, home);
      bell.setString(2, owner);
      bell.setLong(3, id);
      bell.executeUpdate();
      entry.setInt(1, home);
      entry.setString(2, owner);
      entry.setLong(3, id);
      entry.setLong(4, id);
      entry.setString(5, "campaign:inserted");
      entry.setString(6, TOPIC);
      entry.setBytes(7, body);
      entry.executeUpdate();
      unread.setInt(1, home);
      unread.setString(2, owner);
      unread.setString(3, TOPIC);
      unread.executeUpdate();
    }
    connection.commit();
  }

  void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  long count(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
