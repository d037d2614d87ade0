package dev.torg.notifications.contacts;

import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/// SQL over the codes that were sent recently. A transaction locks the row of one subject, a person or an address, in
/// the subject's home, and no other row after it except the person's contact.
final class CodeQuotaStore {
  private static final String LOCK =
      """
      INSERT INTO code_quota (home, subject, last_at, sent) VALUES (?, ?, ?, ''::bytea)
      ON CONFLICT (home, subject) DO UPDATE SET last_at = excluded.last_at
      RETURNING sent
      """;

  private static final String UPDATE =
      "UPDATE code_quota SET sent = ? WHERE home = ? AND subject = ?";

  private static final String HOMES_DUE =
      "SELECT DISTINCT home FROM code_quota WHERE home = ANY (?::int[]) AND last_at <= ?";

  private static final String PURGE =
      """
      DELETE FROM code_quota WHERE home = ? AND subject IN (
        SELECT subject FROM code_quota WHERE home = ? AND last_at <= ? LIMIT ?)
        AND last_at <= ?
      """;

  /// Counts a code, or fails with EXHAUSTED.
  void spend(Tx tx, String subject, SentCodes.Quota quota, Instant now) throws SQLException {
    Home home = Home.of(subject);
    SentCodes sent =
        tx.sql(LOCK)
            .set(home)
            .set(subject)
            .set(now)
            .first(row -> SentCodes.decode(row.bytesAt(1)))
            .orElse(SentCodes.NONE);
    if (!sent.allows(quota, now)) {
      throw Failure.exhausted(
          "contact.codes-exceeded", "too many codes were sent, try again in an hour");
    }
    tx.sql(UPDATE).set(sent.with(now).encode()).set(home).set(subject).update();
  }

  List<Home> homesDue(Tx tx, List<Home> homes, Instant before) throws SQLException {
    return tx.sql(HOMES_DUE).homes(homes, home -> home).set(before).list(row -> row.homeAt(1));
  }

  int purge(Tx tx, Home home, Instant before, int limit) throws SQLException {
    return tx.sql(PURGE).set(home).set(home).set(before).set(limit).set(before).update();
  }
}
