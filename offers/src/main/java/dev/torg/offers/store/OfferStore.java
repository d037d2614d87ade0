package dev.torg.offers.store;

import dev.torg.api.v1.Offer;
import dev.torg.offers.lifecycle.StoredOffer;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.StoredProto;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// Stores the main rows of offers. A transaction locks a main row before changing it; all rows of a batch
/// are locked by one statement in key order.
///
/// `FOR NO KEY UPDATE` blocks other writers of the row, but not writers of stages, which only need the row
/// to exist.
final class OfferStore {
  private static final String COLUMNS =
      "o.id, o.seq, o.edited_version, o.presets, o.archived::text, o.body";

  private static final BatchColumns<OfferId> IDS =
      BatchColumns.of(OfferId::home).longs("id", OfferId::number);

  private static final BatchColumns<OfferRow> ROWS =
      BatchColumns.<OfferRow>of(row -> row.offer().id().home())
          .longs("id", row -> row.offer().id().number())
          .longs("version", row -> row.offer().version())
          .longs("seq", row -> row.offer().seq())
          .longs("edited_version", row -> row.offer().editedVersion())
          .longs("token", OfferRow::token)
          .bytes("body", OfferRow::body);

  private static final BatchColumns<OfferRow> WHOLE_ROWS =
      ROWS.ints("status", row -> row.offer().status().getNumber())
          .ints("presets", OfferRow::presets)
          .instants("due_at", OfferRow::dueAt)
          .instants("activated_at", row -> activated(row.offer()))
          .texts("external_id", row -> nullIfEmpty(row.offer().shown().getExternalId()))
          .texts("category", row -> row.offer().shown().getCategory())
          .texts("region", row -> row.offer().shown().getRegion());

  private static final BatchSql<OfferId> LOCK =
      IDS.sql(
          """
          SELECT %s FROM :batch(k)
            JOIN offer o ON o.home = k.home AND o.id = k.id AND o.kind = 'offer'
           WHERE :shard(o)
           ORDER BY o.home, o.id FOR NO KEY UPDATE OF o
          """
              .formatted(COLUMNS));

  private static final BatchSql<KnownOffer> READ =
      BatchColumns.<KnownOffer>of(known -> known.id().home())
          .longs("id", known -> known.id().number())
          .longs("seq", KnownOffer::seq)
          .sql(
              """
              SELECT o.id, o.seq, o.archived::text, CASE WHEN o.seq <> k.seq THEN o.body END
                FROM :batch(k)
                JOIN offer o ON o.home = k.home AND o.id = k.id AND o.kind = 'offer'
               WHERE :shard(o)
              """);

  private static final BatchSql<OfferRow> INSERT =
      WHOLE_ROWS
          .instants("created_at", row -> created(row.offer()))
          .texts("seller", row -> row.offer().seller())
          .sql(
              """
              INSERT INTO offer (home, id, kind, version, seq, edited_version, status, presets,
                                 created_at, due_at, activated_at, seller, external_id, category,
                                 region, token, body)
              SELECT k.home, k.id, 'offer', k.version, k.seq, k.edited_version, k.status, k.presets,
                     k.created_at, k.due_at, k.activated_at, k.seller, k.external_id, k.category,
                     k.region, k.token, k.body
                FROM :rows(k)
              ON CONFLICT DO NOTHING
              RETURNING id
              """);

  private static final BatchSql<OfferRow> UPDATE =
      WHOLE_ROWS.sql(
          """
          UPDATE offer o
             SET version = k.version, seq = k.seq, edited_version = k.edited_version,
                 status = k.status, presets = k.presets, due_at = k.due_at,
                 activated_at = k.activated_at, external_id = k.external_id,
                 category = k.category, region = k.region, token = k.token, body = k.body,
                 archived = NULL
            FROM :batch(k)
           WHERE o.home = k.home AND o.id = k.id AND o.kind = 'offer' AND :shard(o)
          """);

  /// Changes no indexed column. Used by most edits.
  private static final BatchSql<OfferRow> UPDATE_BODY =
      ROWS.sql(
          """
          UPDATE offer o
             SET version = k.version, seq = k.seq, edited_version = k.edited_version,
                 token = k.token, body = k.body
            FROM :batch(k)
           WHERE o.home = k.home AND o.id = k.id AND o.kind = 'offer' AND :shard(o)
          """);

  private static final BatchSql<OfferId> TOKENS =
      IDS.sql(
          """
          SELECT o.id, o.token, o.body FROM :batch(k)
            JOIN offer o ON o.home = k.home AND o.id = k.id AND o.kind = 'offer'
           WHERE o.body IS NOT NULL AND :shard(o)
          """);

  private static final BatchSql<OfferId> ACTIVE =
      IDS.sql(
          """
          SELECT o.id FROM :batch(k)
            JOIN offer o ON o.home = k.home AND o.id = k.id AND o.kind = 'offer'
           WHERE o.status = %d AND :shard(o)
          """
              .formatted(Offer.Status.ACTIVE_VALUE));

  /// A main row as read. The body is null if it is in the archive, under the given month.
  @SuppressWarnings("ArrayRecordComponent")
  record LockedRow(
      OfferId id,
      long seq,
      long editedVersion,
      int presets,
      @Nullable String month,
      byte @Nullable [] body) {

    StoredOffer stored(byte[] body) {
      return new StoredOffer(id, seq, editedVersion, parse(body));
    }
  }

  /// A main row to write.
  @SuppressWarnings("ArrayRecordComponent")
  record OfferRow(
      StoredOffer offer, int presets, @Nullable Instant dueAt, long token, byte[] body) {}

  /// A main row and the token of the request that wrote it last.
  record RowWithToken(Offer offer, long token) {}

  /// An offer that the caller has at the given `seq`.
  private record KnownOffer(OfferId id, long seq) {}

  List<LockedRow> lock(Tx tx, List<OfferId> ids) throws SQLException {
    return tx.sql(LOCK, ids).list(OfferStore::lockedRow);
  }

  /// The existing rows. Omits bodies that the caller already has at the given `seq`.
  List<LockedRow> read(Tx tx, List<OfferId> ids, ToLongFunction<OfferId> knownSeq)
      throws SQLException {
    List<KnownOffer> known =
        ids.stream().map(id -> new KnownOffer(id, knownSeq.applyAsLong(id))).toList();
    return tx.sql(READ, known)
        .list(
            row ->
                new LockedRow(
                    new OfferId(row.longAt(1)),
                    row.longAt(2),
                    0,
                    0,
                    row.optionalTextAt(3).orElse(null),
                    row.optionalBytesAt(4).orElse(null)));
  }

  List<OfferId> active(Tx tx, List<OfferId> ids) throws SQLException {
    return tx.sql(ACTIVE, ids).list(row -> new OfferId(row.longAt(1)));
  }

  /// Returns the inserted ids. Ids that are in use are omitted.
  Set<OfferId> insert(Tx tx, List<OfferRow> rows) throws SQLException {
    return new HashSet<>(tx.sql(INSERT, rows).list(row -> new OfferId(row.longAt(1))));
  }

  void update(Tx tx, List<OfferRow> rows) throws SQLException {
    tx.sql(UPDATE, rows).update();
  }

  void updateBody(Tx tx, List<OfferRow> rows) throws SQLException {
    tx.sql(UPDATE_BODY, rows).update();
  }

  Map<OfferId, RowWithToken> tokens(Tx tx, List<OfferId> ids) throws SQLException {
    Map<OfferId, RowWithToken> rows = new HashMap<>();
    tx.sql(TOKENS, ids)
        .each(
            row -> {
              OfferId id = new OfferId(row.longAt(1));
              rows.put(id, new RowWithToken(parse(row.bytesAt(3)), row.longAt(2)));
            });
    return rows;
  }

  /// The archive positions of rows without a body.
  static List<ArchiveStore.ArchivePosition> archived(List<LockedRow> rows) {
    List<ArchiveStore.ArchivePosition> positions = new ArrayList<>();
    for (LockedRow row : rows) {
      if (row.month() != null) {
        positions.add(new ArchiveStore.ArchivePosition(row.id(), LocalDate.parse(row.month())));
      }
    }
    return positions;
  }

  private static Instant created(StoredOffer offer) {
    return EpochMicros.instant(EpochMicros.of(offer.shown().getCreatedAt()));
  }

  /// Null if the offer was never active.
  private static @Nullable Instant activated(StoredOffer offer) {
    return offer.shown().hasActivatedAt()
        ? EpochMicros.instant(EpochMicros.of(offer.shown().getActivatedAt()))
        : null;
  }

  private static @Nullable String nullIfEmpty(String text) {
    return text.isEmpty() ? null : text;
  }

  static Offer parse(byte[] body) {
    return StoredProto.parse(Offer.parser(), body, "offer");
  }

  private static LockedRow lockedRow(Row row) throws SQLException {
    return new LockedRow(
        new OfferId(row.longAt(1)),
        row.longAt(2),
        row.longAt(3),
        row.intAt(4),
        row.optionalTextAt(5).orElse(null),
        row.optionalBytesAt(6).orElse(null));
  }
}
