package dev.torg.offers.store;

import dev.torg.api.v1.Offer;
import dev.torg.offers.lifecycle.DraftKey;
import dev.torg.offers.lifecycle.Effect;
import dev.torg.offers.lifecycle.PhotoList;
import dev.torg.offers.lifecycle.PublishableDraft;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.StoredProto;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// The part of publishing that concerns drafts: they are marked with the offer that they became, and their
/// owners' rows in `current_draft` are deleted. Lock order: docs/data-model.md#lock-order.
public final class DraftPublicationStore {
  private static final BatchColumns<DraftKey> KEYS =
      BatchColumns.of(DraftKey::home)
          .texts("owner", DraftKey::owner)
          .others("id", "uuid", key -> key.id().toString());

  private static final BatchSql<DraftKey> LOCK_CURRENT =
      KEYS.sql(
          """
          SELECT 1 FROM :batch(k)
            JOIN current_draft c ON c.home = k.home AND c.owner = k.owner AND c.draft_id = k.id
           WHERE :shard(c)
           ORDER BY c.home, c.owner FOR UPDATE OF c
          """);

  private static final BatchSql<DraftKey> LOCK =
      KEYS.sql(
          """
          SELECT d.owner, d.id::text, d.offer_id, d.body, d.photos FROM :batch(k)
            JOIN draft d ON d.home = k.home AND d.owner = k.owner AND d.id = k.id
           WHERE d.taken_by IS NULL AND :shard(d)
           ORDER BY d.home, d.owner, d.id FOR UPDATE OF d
          """);

  private static final BatchSql<Published> MARK =
      BatchColumns.<Published>of(published -> published.draft().home())
          .texts("owner", published -> published.draft().owner())
          .others("id", "uuid", published -> published.draft().id().toString())
          .longs("offer_id", published -> published.offer().number())
          .sql(
              """
              UPDATE draft d SET offer_id = k.offer_id FROM :batch(k)
               WHERE d.home = k.home AND d.owner = k.owner AND d.id = k.id AND :shard(d)
              """);

  private static final BatchSql<DraftKey> NO_LONGER_CURRENT =
      KEYS.sql(
          """
          DELETE FROM current_draft c USING :batch(k)
           WHERE c.home = k.home AND c.owner = k.owner AND c.draft_id = k.id AND :shard(c)
          """);

  /// A draft and the offer that it became.
  public record Published(DraftKey draft, OfferId offer) {}

  public Map<DraftKey, PublishableDraft> lock(Tx tx, List<DraftKey> keys) throws SQLException {
    Map<DraftKey, PublishableDraft> drafts = new HashMap<>();
    tx.sql(LOCK_CURRENT, keys).each(row -> {});
    tx.sql(LOCK, keys).each(row -> put(drafts, row));
    return drafts;
  }

  public void mark(Tx tx, List<Published> published) throws SQLException {
    tx.sql(MARK, published).update();
    tx.sql(NO_LONGER_CURRENT, published.stream().map(Published::draft).toList()).update();
  }

  private static void put(Map<DraftKey, PublishableDraft> drafts, Row row) throws SQLException {
    Offer content = content(row.bytesAt(4));
    drafts.put(
        new DraftKey(row.textAt(1), UUID.fromString(row.textAt(2))),
        new PublishableDraft(
            content,
            row.optionalBytesAt(5).map(photos -> photosChanged(content, photos)),
            row.optionalLongAt(3).map(OfferId::new)));
  }

  /// The offer requests its pending photos again: answers addressed to the draft are dropped, and the
  /// photos belong to the offer from now on.
  private static Effect.PhotosChanged photosChanged(Offer content, byte[] photos) {
    PhotoList list = PhotoList.of(content.getPhotosList(), PhotoPartStore.part(photos));
    list.requestForOffer();
    return new Effect.PhotosChanged(list.part(), list.requested(), List.of());
  }

  public static Offer content(byte[] body) {
    return StoredProto.parse(Offer.parser(), body, "draft");
  }
}
