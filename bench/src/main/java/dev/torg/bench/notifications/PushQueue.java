package dev.torg.bench.notifications;

import com.google.common.hash.Hashing;
import dev.torg.api.v1.Notification;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Instant;

/// Loads people with an Android device each, and one entry each that is to be pushed, as if they had registered and the
/// notifications had been written; all are due at the same time.
final class PushQueue implements AutoCloseable {
  /// People per `COPY` of each table.
  private static final int CHUNK = 20_000;

  private static final String TOPIC = "news";
  private static final int DEVICE_ID_DIGITS = 32;

  private static final String OPERATIONS = "SELECT count(*) FROM delivery_operation";

  private static final String DELIVERED =
      "SELECT count(*) FROM delivery_attempt WHERE at >= ? AND outcome = 'DELIVERED'";

  private final Connection connection;
  private final byte[] body;
  private final CopiedTable bells = new CopiedTable("bell (home, owner, seq)");
  private final CopiedTable entries =
      new CopiedTable(
          "notification (home, owner, id, seq, key, topic, created_at, read, size, body)");
  private final CopiedTable unread = new CopiedTable("unread (home, owner, topic, count)");
  private final CopiedTable devices =
      new CopiedTable(
          "device (home, owner, device_id, version, kind, token, public_key, auth_secret, platform,"
              + " app_version, timezone, created_at, used_at)");
  private final CopiedTable claims =
      new CopiedTable("device_claim (home, device_id, owner, version)");
  private final CopiedTable operations =
      new CopiedTable(
          "delivery_operation (home, owner, notification_id, channel, topic, due_at, created_at,"
              + " attempts, bulk, held)");

  PushQueue(String database, Notification content) throws SQLException {
    this.connection = DriverManager.getConnection("jdbc:" + database);
    this.body = content.toByteArray();
  }

  void load(String prefix, int people, Instant due) throws SQLException, IOException {
    Instant now = Instant.now();
    for (int i = 0; i < people; i++) {
      add(prefix + i, now, due);
      if (i % CHUNK == CHUNK - 1 || i == people - 1) {
        flush();
      }
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "VACUUM (ANALYZE) bell, notification, unread, device, device_claim, delivery_operation");
    }
  }

  private void add(String owner, Instant now, Instant due) {
    int home = Home.of(owner).number();
    long id = EpochMicros.of(now);
    String token = owner + "-device";
    String device = deviceId(token);
    bells.add(home, owner, id);
    entries.add(home, owner, id, id, "pushed", TOPIC, now, false, 1, CopiedTable.bytes(body));
    unread.add(home, owner, TOPIC, 1);
    devices.add(
        home, owner, device, 1, "FCM", token, "", "", "android", "5.0", "Europe/Riga", now, now);
    claims.add(Home.of(device).number(), device, owner, 1);
    operations.add(home, owner, id, "PUSH", TOPIC, due, now, 0, false, false);
  }

  /// Of the form that registered devices have.
  private static String deviceId(String token) {
    return Hashing.sha256()
        .hashString(token, StandardCharsets.UTF_8)
        .toString()
        .substring(0, DEVICE_ID_DIGITS);
  }

  private void flush() throws SQLException, IOException {
    for (CopiedTable table :
        new CopiedTable[] {bells, entries, unread, devices, claims, operations}) {
      var _ = table.flush(connection);
    }
  }

  /// The operations that wait.
  long queued() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(OPERATIONS)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  /// The attempts since then that are recorded as delivered.
  long delivered(Instant since) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(DELIVERED)) {
      statement.setTimestamp(1, Timestamp.from(since));
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        return rows.getLong(1);
      }
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
