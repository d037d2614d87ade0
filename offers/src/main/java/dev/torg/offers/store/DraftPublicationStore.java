package dev.torg.offers.store;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.Offer;
import dev.torg.offers.lifecycle.DraftKey;
import dev.torg.offers.lifecycle.Effect;
import dev.torg.offers.lifecycle.PhotoList;
import dev.torg.offers.lifecycle.PublishableDraft;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.HomedSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Sql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// The part of publishing that concerns drafts: they are marked with the offer that they became, and their
/// owners' rows in `current_draft` are deleted. Lock order: docs/data-model.md#lock-order.
public final class DraftPublicationStore {
  private static final HomedSql LOCK_CURRENT =
      HomedSql.of(
          """
          SELECT 1 FROM unnest(?::int[], ?::text[], ?::text[]) AS k (home, owner, id)
            JOIN current_draft c ON c.home = k.home AND c.owner = k.owner AND c.draft_id = k.id::uuid
           WHERE :home(c)
           ORDER BY c.home, c.owner FOR UPDATE OF c
          """);

  private static final HomedSql LOCK =
      HomedSql.of(
          """
          SELECT d.owner, d.id::text, d.offer_id, d.body, d.photos
            FROM unnest(?::int[], ?::text[], ?::text[]) AS k (home, owner, id)
            JOIN draft d ON d.home = k.home AND d.owner = k.owner AND d.id = k.id::uuid
           WHERE d.taken_by IS NULL AND :home(d)
           ORDER BY d.home, d.owner, d.id FOR UPDATE OF d
          """);

  private static final HomedSql MARK =
      HomedSql.of(
          """
          UPDATE draft d SET offer_id = k.offer_id
            FROM unnest(?::int[], ?::text[], ?::text[], ?::bigint[]) AS k (home, owner, id, offer_id)
           WHERE d.home = k.home AND d.owner = k.owner AND d.id = k.id::uuid AND :home(d)
          """);

  private static final HomedSql NO_LONGER_CURRENT =
      HomedSql.of(
          """
          DELETE FROM current_draft c
           USING unnest(?::int[], ?::text[], ?::text[]) AS k (home, owner, id)
           WHERE c.home = k.home AND c.owner = k.owner AND c.draft_id = k.id::uuid AND :home(c)
          """);

  /// A draft and the offer that it became.
  public record Published(DraftKey draft, OfferId offer) {}

  public Map<DraftKey, PublishableDraft> lock(Tx tx, List<DraftKey> keys) throws SQLException {
    Map<DraftKey, PublishableDraft> drafts = new HashMap<>();
    if (!keys.isEmpty()) {
      bound(tx, LOCK_CURRENT, keys).each(row -> {});
      bound(tx, LOCK, keys).each(row -> put(drafts, row));
    }
    return drafts;
  }

  public void mark(Tx tx, List<Published> published) throws SQLException {
    if (published.isEmpty()) {
      return;
    }
    tx.sql(MARK, published, p -> p.draft().home())
        .homes(published, p -> p.draft().home())
        .texts(published, p -> p.draft().owner())
        .texts(published, p -> p.draft().id().toString())
        .longs(published, p -> p.offer().number())
        .update();
    bound(tx, NO_LONGER_CURRENT, published.stream().map(Published::draft).toList()).update();
  }

  private static Sql bound(Tx tx, HomedSql sql, List<DraftKey> keys) throws SQLException {
    return tx.sql(sql, keys, DraftKey::home)
        .homes(keys, DraftKey::home)
        .texts(keys, DraftKey::owner)
        .texts(keys, key -> key.id().toString());
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
    try {
      return Offer.parseFrom(body);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored draft cannot be read", e);
    }
  }
}
