package dev.torg.offers.store;

import dev.torg.offers.part.PromotionsPart;
import dev.torg.offers.store.ArchiveStore.ArchivePosition;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.StoredProto;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Stores the part `promotions` of offers, under the lock of the offer's main row.
final class PromotionsPartStore {
  private static final String KIND = "promotions";

  private static final BatchSql<OfferId> PARTS =
      BatchColumns.of(OfferId::home)
          .longs("id", OfferId::number)
          .sql(
              """
              SELECT o.id, o.body FROM :batch(k)
                JOIN offer o ON o.home = k.home AND o.id = k.id AND o.kind = 'promotions'
               WHERE :shard(o)
              """);

  private static final BatchSql<Part> SAVE =
      BatchColumns.<Part>of(part -> part.offer().home())
          .longs("id", part -> part.offer().number())
          .longs("version", Part::version)
          .longs("seq", part -> part.part().getSeq())
          .bytes("body", part -> part.part().toByteArray())
          .sql(
              """
              INSERT INTO offer AS o (home, id, kind, version, seq, body)
              SELECT k.home, k.id, 'promotions', k.version, k.seq, k.body FROM :rows(k)
              ON CONFLICT (home, id, kind)
              DO UPDATE SET version = EXCLUDED.version, seq = EXCLUDED.seq, body = EXCLUDED.body
              """);

  private final ArchiveStore archive = new ArchiveStore();

  /// The part of an offer at a version.
  record Part(OfferId offer, long version, PromotionsPart part) {}

  /// Includes the parts of archived offers, unless a newer part was written since the offer was archived.
  Map<OfferId, PromotionsPart> parts(Tx tx, List<OfferId> ids, List<ArchivePosition> archived)
      throws SQLException {
    Map<OfferId, PromotionsPart> parts = new HashMap<>();
    List<ArchivePosition> positions =
        archived.stream().filter(position -> ids.contains(position.id())).toList();
    archive.read(tx, positions, KIND).forEach((id, body) -> parts.put(id, part(body)));
    tx.sql(PARTS, ids).each(row -> parts.put(new OfferId(row.longAt(1)), part(row.bytesAt(2))));
    return parts;
  }

  void save(Tx tx, List<Part> parts) throws SQLException {
    tx.sql(SAVE, parts).update();
  }

  private static PromotionsPart part(byte[] body) {
    return StoredProto.parse(PromotionsPart.parser(), body, "promotions part");
  }
}
