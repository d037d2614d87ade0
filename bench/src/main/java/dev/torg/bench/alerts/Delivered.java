package dev.torg.bench.alerts;

import dev.torg.api.v1.Offer;
import dev.torg.bench.alerts.Expected.Alerted;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.HdrHistogram.Histogram;

/// Which alerts were delivered, and when, according to the tables: `told` rows and, for storms, the
/// bits of `storm_notified`, which decide, and the entries of bells, which users see. Both must
/// agree for each recipient, collapsed entries counted by their size.
final class Delivered {
  private static final String COMMITTED =
      "(extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000000)::bigint";

  private static final String UNKNOWN = "0::bigint";

  private static final String SELECT_NOTIFIED = "SELECT owner, offer_id FROM told";

  private static final String STORM_OFFERS = "SELECT seller, position, offer_id FROM storm_offer";

  private static final String STORMS = "SELECT owner, seller, block, positions FROM storm_notified";

  /// Positions in a row of `storm_notified`.
  private static final int BLOCK = 8_192;

  private static final String DIGESTS = "SELECT owner, sum(offers) FROM digest GROUP BY owner";

  private static final String ENTRIES =
      """
      SELECT owner, offer_id, size, key LIKE 'new:%%',
             %s
        FROM notification
      """;

  private static final String OFFERS =
      """
      SELECT id, %s
        FROM offer WHERE kind = 'offer'
      """;

  private final Set<Alerted> notified = new HashSet<>();
  private final Map<Alerted, Long> entries = new HashMap<>();
  private final Map<String, Long> received = new HashMap<>();
  private final Map<Long, Long> committed = new HashMap<>();
  private long twice;
  private long collapsed;

  /// Reads with times, from a database that records commit times.
  static Delivered read(String database) {
    return read(database, COMMITTED);
  }

  static Delivered readWithoutTimes(String database) {
    return read(database, UNKNOWN);
  }

  private static Delivered read(String database, String time) {
    Delivered delivered = new Delivered();
    try (Database db = Database.connect("jdbc:" + database, 1)) {
      db.read(
          tx -> {
            tx.sql(SELECT_NOTIFIED)
                .each(row -> delivered.notified.add(new Alerted(row.textAt(1), row.longAt(2))));
            delivered.addStorms(tx);
            tx.sql(DIGESTS)
                .each(row -> delivered.received.merge(row.textAt(1), row.longAt(2), Long::sum));
            tx.sql(OFFERS.formatted(time))
                .each(row -> delivered.committed.put(row.longAt(1), row.longAt(2)));
            tx.sql(ENTRIES.formatted(time))
                .each(
                    row ->
                        delivered.entry(
                            row.textAt(1),
                            row.longAt(2),
                            row.intAt(3),
                            row.booleanAt(4),
                            row.longAt(5)));
            return true;
          });
    }
    return delivered;
  }

  /// An offer recorded both ways gives one entry too many, which the comparison with the bells
  /// shows.
  private void addStorms(Tx tx) throws SQLException {
    Map<String, Map<Integer, Long>> offers = new HashMap<>();
    tx.sql(STORM_OFFERS)
        .each(
            row ->
                offers
                    .computeIfAbsent(row.textAt(1), _ -> new HashMap<>())
                    .put(row.intAt(2), row.longAt(3)));
    tx.sql(STORMS)
        .each(
            row -> {
              Map<Integer, Long> ofSeller = offers.getOrDefault(row.textAt(2), Map.of());
              String recipient = row.textAt(1);
              int first = row.intAt(3) * BLOCK;
              BitSet.valueOf(row.bytesAt(4)).stream()
                  .forEach(
                      bit ->
                          notified.add(
                              new Alerted(recipient, ofSeller.getOrDefault(first + bit, 0L))));
            });
  }

  private void entry(String recipient, long offer, int size, boolean single, long at) {
    received.merge(recipient, (long) size, Long::sum);
    if (!single) {
      collapsed += size;
    } else if (entries.put(new Alerted(recipient, offer), at) != null) {
      twice++;
    }
  }

  /// Alerts that were not delivered, and those recorded as delivered without an entry in a bell.
  long missing(Set<Alerted> expected) {
    long untold = expected.stream().filter(alert -> !notified.contains(alert)).count();
    return untold + difference(-1);
  }

  /// Alerts that should not have been delivered.
  long unexpected(Set<Alerted> expected) {
    return notified.stream().filter(alert -> !expected.contains(alert)).count();
  }

  /// More entries than recorded alerts.
  long doubled() {
    return twice + difference(1);
  }

  /// The number of alerts in entries 'N new offers'.
  long collapsed() {
    return collapsed;
  }

  private long difference(int sign) {
    Map<String, Long> differences = new HashMap<>(received);
    notified.forEach(alert -> differences.merge(alert.recipient(), -1L, Long::sum));
    return differences.values().stream().mapToLong(d -> Math.max(0, sign * d)).sum();
  }

  /// From the COMMIT of these offers to that of the bells' entries, in milliseconds.
  Histogram latency(Collection<Offer> offers) {
    return latencyOf(offers.stream().map(offer -> OfferId.parse(offer.getId())).toList());
  }

  Histogram latencyOf(Collection<OfferId> offers) {
    Set<Long> offerIds = new HashSet<>();
    offers.forEach(offer -> offerIds.add(offer.number()));
    Histogram millis = new Histogram(3);
    entries.forEach(
        (alert, at) -> {
          Long from = committed.get(alert.offer());
          if (offerIds.contains(alert.offer()) && from != null) {
            millis.recordValue(Math.max(0, (at - from) / 1000));
          }
        });
    return millis;
  }

  /// A few of the missing alerts, for debugging.
  List<Alerted> someMissing(Set<Alerted> expected) {
    return expected.stream().filter(alert -> !notified.contains(alert)).limit(5).toList();
  }
}
