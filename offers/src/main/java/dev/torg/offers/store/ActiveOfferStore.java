package dev.torg.offers.store;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.offers.ActiveOfferPage;
import dev.torg.platform.Home;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the active offers of a home page by page, by the primary key. Reads only.
final class ActiveOfferStore {
  private static final Logger LOG = LoggerFactory.getLogger(ActiveOfferStore.class);

  /// The limit counts rows of all parts of offers and of finished ones, so it bounds the cost of a page.
  private static final String SELECT_PAGE =
      """
      SELECT c.id, CASE WHEN c.kind = 'offer' AND c.status = %d THEN c.body END
        FROM offer c WHERE c.home = ? AND c.id > ? ORDER BY c.home, c.id, c.kind LIMIT ?
      """
          .formatted(Status.ACTIVE_VALUE);

  private record Examined(long id, Optional<byte[]> body) {}

  /// Examines at most `maxRows` rows.
  ActiveOfferPage page(Tx tx, Home home, long afterId, int maxRows) throws SQLException {
    List<Examined> rows =
        tx.sql(SELECT_PAGE).set(home).set(afterId).set(maxRows).list(ActiveOfferStore::examined);
    boolean last = rows.size() < maxRows;
    // The last offer may continue beyond the page: it begins the next one, unless it fills this
    // one.
    boolean isOneOffer = !rows.isEmpty() && rows.getFirst().id == rows.getLast().id;
    long end = last || isOneOffer ? Long.MAX_VALUE : rows.getLast().id;
    List<Offer> offers = new ArrayList<>();
    long lastId = afterId;
    for (Examined row : rows) {
      if (row.id < end) {
        row.body.ifPresent(body -> parse(row.id, body, offers));
        lastId = row.id;
      }
    }
    return new ActiveOfferPage(offers, lastId, last);
  }

  private static void parse(long id, byte[] body, List<Offer> into) {
    try {
      into.add(Offer.parseFrom(body));
    } catch (InvalidProtocolBufferException e) {
      LOG.error("offer {} cannot be read and is omitted from a page", id, e);
    }
  }

  private static Examined examined(Row row) throws SQLException {
    return new Examined(row.longAt(1), row.optionalBytesAt(2));
  }
}
