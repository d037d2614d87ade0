package dev.torg.offers.store;

import dev.torg.api.v1.Money;
import dev.torg.api.v1.PricePoint;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Stores the price history of offers. Points are written under the lock of the offer's main row.
final class PriceStore {
  private static final BatchSql<Point> ADD =
      BatchColumns.<Point>of(point -> point.offer().home())
          .longs("id", point -> point.offer().number())
          .instants("at", Point::at)
          .longs("amount", point -> point.price().map(Money::getAmount).orElse(-1L))
          .texts("currency", point -> point.price().map(Money::getCurrency).orElse(null))
          .sql(
              """
              INSERT INTO price_point (home, offer_id, at, amount, currency)
              SELECT k.home, k.id, k.at, nullif(k.amount, -1), k.currency FROM :rows(k)
              """);

  private static final String HISTORY =
      """
      SELECT at, amount, currency FROM price_point WHERE home = ? AND offer_id = ?
       ORDER BY at DESC LIMIT ?
      """;

  /// Maximum number of points returned; the latest ones.
  private static final int MAX_SHOWN = 1_000;

  /// Without a price the offer is negotiable from then on.
  record Point(OfferId offer, Instant at, Optional<Money> price) {}

  void add(Tx tx, List<Point> points) throws SQLException {
    tx.sql(ADD, points).update();
  }

  /// Oldest first.
  List<PricePoint> history(Tx tx, OfferId offer) throws SQLException {
    return tx.sql(HISTORY)
        .set(offer.home())
        .set(offer.number())
        .set(MAX_SHOWN)
        .list(PriceStore::point)
        .reversed();
  }

  private static PricePoint point(Row row) throws SQLException {
    PricePoint.Builder point =
        PricePoint.newBuilder().setAt(EpochMicros.timestamp(EpochMicros.of(row.instantAt(1))));
    Optional<String> currency = row.optionalTextAt(3);
    if (currency.isPresent()) {
      point.setPrice(Money.newBuilder().setAmount(row.longAt(2)).setCurrency(currency.get()));
    }
    return point.build();
  }
}
