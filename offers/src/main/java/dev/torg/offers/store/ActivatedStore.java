package dev.torg.offers.store;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.offers.ActivatedPage;
import dev.torg.offers.ActivationCursor;
import dev.torg.offers.ActiveOfferFilter;
import dev.torg.platform.Home;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Sql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads active offers page by page in the order of first activation. A page examines a bounded number
/// of rows and returns the bodies of those that pass the filter. Reads only.
final class ActivatedStore {
  private static final Logger LOG = LoggerFactory.getLogger(ActivatedStore.class);

  /// The inner LIMIT bounds the cost of a page however few rows pass the filter, and keeps the planner on
  /// the index by activation time. Archived bodies are omitted: these offers are not active.
  private static final String SELECT_PAGE =
      """
      SELECT o.id, o.activated_at,
             CASE WHEN (cardinality(?::text[]) = 0 OR o.category = ANY (?::text[]))
                   AND (?::boolean OR EXISTS (
                         SELECT 1 FROM unnest(?::text[], ?::text[]) AS r (first, last)
                          WHERE o.region >= r.first AND o.region <= r.last))
                  THEN o.body END
        FROM (SELECT c.id, c.activated_at, c.category, c.region,
                     CASE WHEN c.status = %d THEN c.body END AS body
                FROM offer c
               WHERE c.kind = 'offer'
                 AND c.activated_at >= ? AND (c.activated_at, c.id) > (?, ?)
               ORDER BY c.activated_at, c.id LIMIT ?) AS o
       ORDER BY o.activated_at, o.id
      """
          .formatted(Status.ACTIVE_VALUE);

  private static final String PAGE_OF_SELLER =
      """
      SELECT o.id, o.activated_at, CASE WHEN o.status = %d THEN o.body END
        FROM offer o
       WHERE o.home = ? AND o.seller = ? AND o.kind = 'offer'
         AND o.activated_at >= ? AND (o.activated_at, o.id) > (?, ?)
       ORDER BY o.activated_at, o.id LIMIT ?
      """
          .formatted(Status.ACTIVE_VALUE);

  @SuppressWarnings("ArrayRecordComponent")
  private record Examined(long id, Instant activatedAt, byte @Nullable [] body) {}

  /// Examines at most `maxRows` rows.
  ActivatedPage page(Tx tx, ActiveOfferFilter filter, ActivationCursor after, int maxRows)
      throws SQLException {
    List<Examined> rows =
        (filter.seller().isPresent()
                ? ofSeller(tx, filter.seller().get(), after, maxRows)
                : ofAll(tx, filter, after, maxRows))
            .list(ActivatedStore::examined);
    List<Offer> offers = new ArrayList<>();
    int unreadable = 0;
    for (Examined row : rows) {
      if (row.body != null && !parsed(row.id, row.body, offers)) {
        unreadable++;
      }
    }
    ActivationCursor next =
        rows.isEmpty()
            ? after
            : new ActivationCursor(rows.getLast().activatedAt, rows.getLast().id);
    return new ActivatedPage(offers, unreadable, next, rows.size() < maxRows);
  }

  private static Sql ofAll(Tx tx, ActiveOfferFilter filter, ActivationCursor after, int maxRows)
      throws SQLException {
    String[] categories = filter.categories().toArray(String[]::new);
    List<RegionRange> ranges = RegionRange.of(filter.regions());
    return tx.sql(SELECT_PAGE)
        .texts(categories)
        .texts(categories)
        .set(filter.regions().isEmpty())
        .texts(ranges, RegionRange::first)
        .texts(ranges, RegionRange::last)
        .set(after.time())
        .set(after.time())
        .set(after.id())
        .set(maxRows);
  }

  private static Sql ofSeller(Tx tx, String seller, ActivationCursor after, int maxRows)
      throws SQLException {
    return tx.sql(PAGE_OF_SELLER)
        .set(Home.of(seller))
        .set(seller)
        .set(after.time())
        .set(after.time())
        .set(after.id())
        .set(maxRows);
  }

  private static boolean parsed(long id, byte[] body, List<Offer> into) {
    try {
      into.add(Offer.parseFrom(body));
      return true;
    } catch (InvalidProtocolBufferException e) {
      LOG.error("offer {} cannot be read and is omitted from a scan", id, e);
      return false;
    }
  }

  private static Examined examined(Row row) throws SQLException {
    return new Examined(row.longAt(1), row.instantAt(2), row.optionalBytesAt(3).orElse(null));
  }
}
