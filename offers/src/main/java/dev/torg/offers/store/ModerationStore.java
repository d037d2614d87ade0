package dev.torg.offers.store;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.Opinion;
import dev.torg.offers.part.ModerationPart;
import dev.torg.offers.store.ArchiveStore.Place;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.HomedSql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Stores the moderation part of offers and the history of opinions, both under the lock of the offer's
/// main row.
public final class ModerationStore {
  private static final HomedSql PARTS =
      HomedSql.of(
          """
          SELECT o.id, o.body FROM unnest(?::int[], ?::bigint[]) AS k (home, id)
            JOIN offer o ON o.home = k.home AND o.id = k.id AND o.kind = 'moderation'
           WHERE :home(o)
          """);

  private static final String SAVE_PARTS =
      """
      INSERT INTO offer AS o (home, id, kind, version, seq, body)
      SELECT k.home, k.id, 'moderation', k.version, 0, k.body
        FROM unnest(?::int[], ?::bigint[], ?::bigint[], ?::bytea[]) AS k (home, id, version, body)
      ON CONFLICT (home, id, kind) DO UPDATE SET version = EXCLUDED.version, body = EXCLUDED.body
      """;

  private static final String RECORD =
      """
      INSERT INTO opinion (home, offer_id, number, applied, at, body)
      SELECT k.home, k.id,
             coalesce((SELECT max(o.number) FROM opinion o
                        WHERE o.home = k.home AND o.offer_id = k.id), 0)
               + row_number() OVER (PARTITION BY k.home, k.id ORDER BY k.place),
             k.applied, k.at, k.body
        FROM unnest(?::int[], ?::bigint[], ?::boolean[], ?::timestamptz[], ?::bytea[])
          WITH ORDINALITY AS k (home, id, applied, at, body, place)
      """;

  private static final String OPINIONS =
      "SELECT body FROM opinion WHERE home = ? AND offer_id = ? ORDER BY number DESC LIMIT ?";

  private static final String KIND = "moderation";

  /// Maximum number of opinions returned.
  private static final int MAX_SHOWN = 1_000;

  private final ArchiveStore archive = new ArchiveStore();

  /// An opinion for the history.
  public record Recorded(OfferId offer, Opinion opinion, boolean applied, Instant at) {}

  /// The moderation part of an offer at a version.
  public record Part(OfferId offer, long version, ModerationPart part) {}

  /// Includes the parts of archived offers, unless a newer part was written since the offer was archived.
  public Map<OfferId, ModerationPart> parts(Tx tx, List<OfferId> ids, List<Place> archived)
      throws SQLException {
    Map<OfferId, ModerationPart> parts = new HashMap<>();
    List<Place> places = archived.stream().filter(place -> ids.contains(place.id())).toList();
    archive.read(tx, places, KIND).forEach((id, body) -> parts.put(id, part(body)));
    if (!ids.isEmpty()) {
      tx.sql(PARTS, ids, OfferId::home)
          .homes(ids, OfferId::home)
          .longs(ids, OfferId::number)
          .each(row -> parts.put(new OfferId(row.longAt(1)), part(row.bytesAt(2))));
    }
    return parts;
  }

  public void save(Tx tx, List<Part> parts) throws SQLException {
    if (!parts.isEmpty()) {
      tx.sql(SAVE_PARTS)
          .homes(parts, part -> part.offer().home())
          .longs(parts, part -> part.offer().number())
          .longs(parts, Part::version)
          .bytes(parts, part -> part.part().toByteArray())
          .update();
    }
  }

  public void record(Tx tx, List<Recorded> opinions) throws SQLException {
    if (!opinions.isEmpty()) {
      tx.sql(RECORD)
          .homes(opinions, opinion -> opinion.offer().home())
          .longs(opinions, opinion -> opinion.offer().number())
          .booleans(opinions, Recorded::applied)
          .instants(opinions, Recorded::at)
          .bytes(opinions, opinion -> opinion.opinion().toByteArray())
          .update();
    }
  }

  /// Newest first.
  public List<Opinion> opinions(Tx tx, OfferId offer) throws SQLException {
    return tx.sql(OPINIONS)
        .set(offer.home())
        .set(offer.number())
        .set(MAX_SHOWN)
        .list(row -> opinion(row.bytesAt(1)));
  }

  private static ModerationPart part(byte[] body) {
    try {
      return ModerationPart.parseFrom(body);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored moderation part cannot be read", e);
    }
  }

  private static Opinion opinion(byte[] body) {
    try {
      return Opinion.parseFrom(body);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored opinion cannot be read", e);
    }
  }
}
