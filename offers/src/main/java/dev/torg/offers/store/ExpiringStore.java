package dev.torg.offers.store;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.offers.ExpiringPage;
import dev.torg.offers.ExpiryCursor;
import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads active offers page by page in the order in which they expire, by the index on `due_at`, which also contains the
/// offers that wait for the archive. Reads only.
final class ExpiringStore {
  private static final Logger LOG = LoggerFactory.getLogger(ExpiringStore.class);

  /// One index lookup per home.
  private static final BatchSql<Map.Entry<Home, Instant>> HOMES =
      BatchColumns.<Map.Entry<Home, Instant>>of(Map.Entry::getKey)
          .instants("after", Map.Entry::getValue)
          .sql(
              """
              SELECT k.home FROM :rows(k)
               WHERE EXISTS (SELECT FROM offer o
                              WHERE o.home = k.home AND o.due_at > k.after AND o.due_at <= ?
                                AND :shard(o))
              """);

  private static final String SELECT_PAGE =
      """
      SELECT o.id, o.due_at, CASE WHEN o.status = %d THEN o.body END
        FROM offer o
       WHERE o.home = ? AND o.kind = 'offer' AND o.due_at <= ?
         AND o.due_at >= ? AND (o.due_at, o.id) > (?, ?)
       ORDER BY o.due_at, o.id LIMIT ?
      """
          .formatted(Status.ACTIVE_VALUE);

  @SuppressWarnings("ArrayRecordComponent")
  private record Examined(long id, Instant dueAt, byte @Nullable [] body) {}

  List<Home> homes(Tx tx, List<Map.Entry<Home, Instant>> after, Instant until) throws SQLException {
    return tx.sql(HOMES, after).set(until).list(row -> row.homeAt(1));
  }

  ExpiringPage page(Tx tx, Home home, ExpiryCursor after, Instant until, int maxRows)
      throws SQLException {
    List<Examined> rows =
        tx.sql(SELECT_PAGE)
            .set(home)
            .set(until)
            .set(after.expiresAt())
            .set(after.expiresAt())
            .set(after.id())
            .set(maxRows)
            .list(ExpiringStore::examined);
    List<Offer> offers = new ArrayList<>();
    for (Examined row : rows) {
      if (row.body != null) {
        parse(row.id, row.body, offers);
      }
    }
    boolean last = rows.size() < maxRows;
    ExpiryCursor next =
        last
            ? ExpiryCursor.after(until)
            : new ExpiryCursor(rows.getLast().dueAt, rows.getLast().id);
    return new ExpiringPage(offers, next, last);
  }

  private static void parse(long id, byte[] body, List<Offer> into) {
    try {
      into.add(Offer.parseFrom(body));
    } catch (InvalidProtocolBufferException e) {
      LOG.error("offer {} cannot be read and is omitted from those that expire", id, e);
    }
  }

  private static Examined examined(Row row) throws SQLException {
    return new Examined(row.longAt(1), row.instantAt(2), row.optionalBytesAt(3).orElse(null));
  }
}
