package dev.torg.offers.store;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.Offer;
import dev.torg.offers.lifecycle.StoredOffer;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.HomedSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Sql;
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

  private static final HomedSql LOCK =
      HomedSql.of(
          """
          SELECT %s FROM unnest(?::int[], ?::bigint[]) AS k (home, id)
            JOIN offer o ON o.home = k.home AND o.id = k.id AND o.kind = 'offer'
           WHERE :home(o)
           ORDER BY o.home, o.id FOR NO KEY UPDATE OF o
          """
              .formatted(COLUMNS));

  private static final HomedSql READ =
      HomedSql.of(
          """
          SELECT o.id, o.seq, o.archived::text, CASE WHEN o.seq <> k.seq THEN o.body END
            FROM unnest(?::int[], ?::bigint[], ?::bigint[]) AS k (home, id, seq)
            JOIN offer o ON o.home = k.home AND o.id = k.id AND o.kind = 'offer'
           WHERE :home(o)
          """);

  private static final String INSERT =
      """
      INSERT INTO offer (home, id, kind, version, seq, edited_version, status, presets, created_at,
                         due_at, activated_at, seller, external_id, category, region, token, body)
      SELECT k.home, k.id, 'offer', k.version, k.seq, k.edited_version, k.status, k.presets,
             k.created_at, k.due_at, k.activated_at, k.seller, k.external_id, k.category, k.region,
             k.token, k.body
        FROM unnest(?::int[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::int[],
                    ?::int[], ?::timestamptz[], ?::timestamptz[], ?::text[], ?::text[],
                    ?::text[], ?::bigint[], ?::bytea[], ?::timestamptz[], ?::text[])
          AS k (home, id, version, seq, edited_version, status,
                presets, due_at, activated_at, external_id, category, region, token,
                body, created_at, seller)
      ON CONFLICT DO NOTHING
      RETURNING id
      """;

  private static final HomedSql UPDATE =
      HomedSql.of(
          """
          UPDATE offer o
             SET version = k.version, seq = k.seq, edited_version = k.edited_version,
                 status = k.status, presets = k.presets, due_at = k.due_at,
                 activated_at = k.activated_at, external_id = k.external_id,
                 category = k.category, region = k.region, token = k.token, body = k.body,
                 archived = NULL
            FROM unnest(?::int[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::int[],
                        ?::int[], ?::timestamptz[], ?::timestamptz[], ?::text[], ?::text[],
                        ?::text[], ?::bigint[], ?::bytea[])
              AS k (home, id, version, seq, edited_version, status,
                    presets, due_at, activated_at, external_id, category, region, token, body)
           WHERE o.home = k.home AND o.id = k.id AND o.kind = 'offer' AND :home(o)
          """);

  /// Changes no indexed column. Used by most edits.
  private static final HomedSql UPDATE_BODY =
      HomedSql.of(
          """
          UPDATE offer o
             SET version = k.version, seq = k.seq, edited_version = k.edited_version,
                 token = k.token, body = k.body
            FROM unnest(?::int[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[],
                        ?::bytea[])
              AS k (home, id, version, seq, edited_version, token, body)
           WHERE o.home = k.home AND o.id = k.id AND o.kind = 'offer' AND :home(o)
          """);

  private static final HomedSql TOKENS =
      HomedSql.of(
          """
          SELECT o.id, o.token, o.body
            FROM unnest(?::int[], ?::bigint[]) AS k (home, id)
            JOIN offer o ON o.home = k.home AND o.id = k.id AND o.kind = 'offer'
           WHERE o.body IS NOT NULL AND :home(o)
          """);

  private static final HomedSql ACTIVE =
      HomedSql.of(
          """
          SELECT o.id FROM unnest(?::int[], ?::bigint[]) AS k (home, id)
            JOIN offer o ON o.home = k.home AND o.id = k.id AND o.kind = 'offer'
           WHERE o.status = %d AND :home(o)
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

  List<LockedRow> lock(Tx tx, List<OfferId> ids) throws SQLException {
    return tx.sql(LOCK, ids, OfferId::home)
        .homes(ids, OfferId::home)
        .longs(ids, OfferId::number)
        .list(OfferStore::found);
  }

  /// The existing rows. Omits bodies that the caller already has at the given `seq`.
  List<LockedRow> read(Tx tx, List<OfferId> ids, ToLongFunction<OfferId> knownSeq)
      throws SQLException {
    return tx.sql(READ, ids, OfferId::home)
        .homes(ids, OfferId::home)
        .longs(ids, OfferId::number)
        .longs(ids, knownSeq)
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
    return tx.sql(ACTIVE, ids, OfferId::home)
        .homes(ids, OfferId::home)
        .longs(ids, OfferId::number)
        .list(row -> new OfferId(row.longAt(1)));
  }

  /// Returns the inserted ids. Ids that are in use are omitted.
  Set<OfferId> insert(Tx tx, List<OfferRow> rows) throws SQLException {
    if (rows.isEmpty()) {
      return Set.of();
    }
    return new HashSet<>(
        columns(tx.sql(INSERT), rows)
            .instants(rows, row -> created(row.offer()))
            .texts(rows, row -> row.offer().seller())
            .list(row -> new OfferId(row.longAt(1))));
  }

  void update(Tx tx, List<OfferRow> rows) throws SQLException {
    if (!rows.isEmpty()) {
      columns(tx.sql(UPDATE, rows, row -> row.offer().id().home()), rows).update();
    }
  }

  void updateBody(Tx tx, List<OfferRow> rows) throws SQLException {
    if (!rows.isEmpty()) {
      tx.sql(UPDATE_BODY, rows, row -> row.offer().id().home())
          .homes(rows, row -> row.offer().id().home())
          .longs(rows, row -> row.offer().id().number())
          .longs(rows, row -> row.offer().version())
          .longs(rows, row -> row.offer().seq())
          .longs(rows, row -> row.offer().editedVersion())
          .longs(rows, OfferRow::token)
          .bytes(rows, OfferRow::body)
          .update();
    }
  }

  Map<OfferId, RowWithToken> tokens(Tx tx, List<OfferId> ids) throws SQLException {
    Map<OfferId, RowWithToken> rows = new HashMap<>();
    tx.sql(TOKENS, ids, OfferId::home)
        .homes(ids, OfferId::home)
        .longs(ids, OfferId::number)
        .each(
            row -> {
              OfferId id = new OfferId(row.longAt(1));
              rows.put(id, new RowWithToken(parse(row.bytesAt(3)), row.longAt(2)));
            });
    return rows;
  }

  /// The archive positions of rows without a body.
  static List<ArchiveStore.Place> archived(List<LockedRow> rows) {
    List<ArchiveStore.Place> places = new ArrayList<>();
    for (LockedRow row : rows) {
      if (row.month() != null) {
        places.add(new ArchiveStore.Place(row.id(), LocalDate.parse(row.month())));
      }
    }
    return places;
  }

  private static Sql columns(Sql sql, List<OfferRow> rows) throws SQLException {
    return sql.homes(rows, row -> row.offer().id().home())
        .longs(rows, row -> row.offer().id().number())
        .longs(rows, row -> row.offer().version())
        .longs(rows, row -> row.offer().seq())
        .longs(rows, row -> row.offer().editedVersion())
        .ints(rows, row -> row.offer().status().getNumber())
        .ints(rows, OfferRow::presets)
        .instants(rows, OfferRow::dueAt)
        .instants(rows, row -> activated(row.offer()))
        .texts(rows, row -> nullIfEmpty(row.offer().shown().getExternalId()))
        .texts(rows, row -> row.offer().shown().getCategory())
        .texts(rows, row -> row.offer().shown().getRegion())
        .longs(rows, OfferRow::token)
        .bytes(rows, OfferRow::body);
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
    try {
      return Offer.parseFrom(body);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored offer cannot be read", e);
    }
  }

  private static LockedRow found(Row row) throws SQLException {
    return new LockedRow(
        new OfferId(row.longAt(1)),
        row.longAt(2),
        row.longAt(3),
        row.intAt(4),
        row.optionalTextAt(5).orElse(null),
        row.optionalBytesAt(6).orElse(null));
  }
}
