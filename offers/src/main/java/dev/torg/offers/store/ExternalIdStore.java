package dev.torg.offers.store;

import dev.torg.api.v1.Offer.Status;
import dev.torg.offers.ExternalId;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Finds offers by the ids of their sellers, by the index `offer_by_external_id`. Reads only.
final class ExternalIdStore {
  private static final BatchSql<ExternalId> ACTIVE =
      BatchColumns.of(ExternalId::home)
          .texts("seller", ExternalId::seller)
          .texts("external_id", ExternalId::id)
          .sql(
              """
              SELECT o.seller, o.external_id, o.id FROM :batch(k)
                JOIN offer o ON o.home = k.home AND o.seller = k.seller
                 AND o.external_id = k.external_id
               WHERE o.external_id IS NOT NULL AND o.kind = 'offer' AND o.status = %d AND :shard(o)
               ORDER BY o.created_at, o.id
              """
                  .formatted(Status.ACTIVE_VALUE));

  /// The active offers; of several with one external id the newest.
  Map<ExternalId, OfferId> active(Tx tx, List<ExternalId> ids) throws SQLException {
    Map<ExternalId, OfferId> found = new HashMap<>();
    tx.sql(ACTIVE, ids)
        .each(
            row ->
                found.put(
                    new ExternalId(row.textAt(1), row.textAt(2)), new OfferId(row.longAt(3))));
    return found;
  }
}
