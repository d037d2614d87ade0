/// PostgreSQL through JDBC: the pool, transactions as lambdas, batches by `unnest`, migrations per module.
///
/// Retries happen only before COMMIT. A COMMIT whose response was lost is not a failure: the caller searches
/// for its token in the row, and when that is impossible it reports UNAVAILABLE.
///
/// A store holds its SQL on top, one method a statement, one row mapper at the bottom:
///
///     private static final BatchSql<OfferId> FIND =
///         BatchColumns.of(OfferId::home)
///             .longs("id", OfferId::number)
///             .sql(
///                 """
///                 SELECT o.home, o.id, o.title FROM :batch(k) JOIN offer o USING (home, id)
///                  WHERE :shard(o)
///                 """);
///
///     List<Offer> find(Tx tx, List<OfferId> ids) throws SQLException {
///       return tx.sql(FIND, ids).list(OfferStore::offer);
///     }
///
///     private static Offer offer(Row row) throws SQLException {
///       return new Offer(new OfferId(row.longAt(2)), row.textAt(3));
///     }
///
/// A `home` column is always `int NOT NULL` and the first one of the primary key; see [Migrations]
/// for what that means on Citus.
@NullMarked
package dev.torg.platform.db;

import org.jspecify.annotations.NullMarked;
