package dev.torg.offers.store;

import dev.torg.api.v1.Opinion;
import dev.torg.offers.part.ModerationPart;
import dev.torg.offers.store.ArchiveStore.ArchivePosition;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.StoredProto;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Stores the moderation part of offers and the history of opinions, both under the lock of the offer's
/// main row.
public final class ModerationStore {
  private static final BatchSql<OfferId> PARTS =
      BatchColumns.of(OfferId::home)
          .longs("id", OfferId::number)
          .sql(
              """
              SELECT o.id, o.body FROM :batch(k)
                JOIN offer o ON o.home = k.home AND o.id = k.id AND o.kind = 'moderation'
               WHERE :shard(o)
              """);

  private static final BatchSql<Part> SAVE_PARTS =
      BatchColumns.<Part>of(part -> part.offer().home())
          .longs("id", part -> part.offer().number())
          .longs("version", Part::version)
          .bytes("body", part -> part.part().toByteArray())
          .sql(
              """
              INSERT INTO offer AS o (home, id, kind, version, seq, body)
              SELECT k.home, k.id, 'moderation', k.version, 0, k.body FROM :rows(k)
              ON CONFLICT (home, id, kind)
              DO UPDATE SET version = EXCLUDED.version, body = EXCLUDED.body
              """);

  private static final BatchSql<Numbered> RECORD =
      BatchColumns.<Numbered>of(numbered -> numbered.opinion().offer().home())
          .longs("id", numbered -> numbered.opinion().offer().number())
          .ints("number", Numbered::number)
          .booleans("applied", numbered -> numbered.opinion().applied())
          .instants("at", numbered -> numbered.opinion().at())
          .bytes("body", numbered -> numbered.opinion().opinion().toByteArray())
          .sql(
              """
              INSERT INTO opinion (home, offer_id, number, applied, at, body)
              SELECT k.home, k.id,
                     coalesce((SELECT max(o.number) FROM opinion o
                                WHERE o.home = k.home AND o.offer_id = k.id AND :shard(o)), 0)
                       + k.number,
                     k.applied, k.at, k.body
                FROM :rows(k)
              """);

  private static final String OPINIONS =
      "SELECT body FROM opinion WHERE home = ? AND offer_id = ? ORDER BY number DESC LIMIT ?";

  private static final String KIND = "moderation";

  /// Maximum number of opinions returned.
  private static final int MAX_SHOWN = 1_000;

  private final ArchiveStore archive = new ArchiveStore();

  /// An opinion for the history.
  public record Recorded(OfferId offer, Opinion opinion, boolean applied, Instant at) {}

  /// @param number from 1, of the opinions of a batch on the same offer
  private record Numbered(Recorded opinion, int number) {}

  /// The moderation part of an offer at a version.
  public record Part(OfferId offer, long version, ModerationPart part) {}

  /// Includes the parts of archived offers, unless a newer part was written since the offer was archived.
  public Map<OfferId, ModerationPart> parts(
      Tx tx, List<OfferId> ids, List<ArchivePosition> archived) throws SQLException {
    Map<OfferId, ModerationPart> parts = new HashMap<>();
    List<ArchivePosition> positions =
        archived.stream().filter(position -> ids.contains(position.id())).toList();
    archive.read(tx, positions, KIND).forEach((id, body) -> parts.put(id, part(body)));
    tx.sql(PARTS, ids).each(row -> parts.put(new OfferId(row.longAt(1)), part(row.bytesAt(2))));
    return parts;
  }

  public void save(Tx tx, List<Part> parts) throws SQLException {
    tx.sql(SAVE_PARTS, parts).update();
  }

  public void record(Tx tx, List<Recorded> opinions) throws SQLException {
    tx.sql(RECORD, numbered(opinions)).update();
  }

  private static List<Numbered> numbered(List<Recorded> opinions) {
    Map<OfferId, Integer> counts = new HashMap<>();
    List<Numbered> numbered = new ArrayList<>(opinions.size());
    for (Recorded opinion : opinions) {
      numbered.add(new Numbered(opinion, counts.merge(opinion.offer(), 1, Integer::sum)));
    }
    return numbered;
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
    return StoredProto.parse(ModerationPart.parser(), body, "moderation part");
  }

  private static Opinion opinion(byte[] body) {
    return StoredProto.parse(Opinion.parser(), body, "opinion");
  }
}
