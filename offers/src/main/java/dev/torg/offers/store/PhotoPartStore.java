package dev.torg.offers.store;

import dev.torg.api.v1.DraftReference;
import dev.torg.api.v1.PhotoRequest;
import dev.torg.offers.lifecycle.DraftKey;
import dev.torg.offers.lifecycle.PhotoList;
import dev.torg.offers.part.PhotoSource;
import dev.torg.offers.part.PhotosPart;
import dev.torg.offers.store.ArchiveStore.ArchivePosition;
import dev.torg.photos.PhotoLane;
import dev.torg.photos.PhotoTopics;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.StoredProto;
import dev.torg.platform.db.Tx;
import dev.torg.platform.outbox.Outbox;
import dev.torg.platform.outbox.OutboxMessage;
import dev.torg.platform.outbox.OutboxSequence;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Stores the part `photos` of offers and requests the preparation of photos, in the transaction of the
/// caller, which holds the locks of the offers' main rows. A batch is one statement for all parts and one
/// for all requests, whatever its size.
///
/// A command that changes photos returns true from `needsPhotos`, changes a [PhotoList] of the
/// situation's part and has the effect [dev.torg.offers.lifecycle.Effect.PhotosChanged]; the writer of
/// the batch then calls this store.
public final class PhotoPartStore {
  private static final String KIND = "photos";

  private static final BatchSql<OfferId> PARTS =
      BatchColumns.of(OfferId::home)
          .longs("id", OfferId::number)
          .sql(
              """
              SELECT o.id, o.body FROM :batch(k)
                JOIN offer o ON o.home = k.home AND o.id = k.id AND o.kind = 'photos'
               WHERE :shard(o)
              """);

  private static final BatchSql<Change> SAVE =
      BatchColumns.<Change>of(change -> change.offer().home())
          .longs("id", change -> change.offer().number())
          .longs("version", Change::version)
          .instants("retry_at", change -> retryAt(change.part()))
          .bytes("body", change -> change.part().toByteArray())
          .sql(
              """
              INSERT INTO offer AS o (home, id, kind, version, seq, retry_at, body)
              SELECT k.home, k.id, 'photos', k.version, 0, k.retry_at, k.body FROM :rows(k)
              ON CONFLICT (home, id, kind)
              DO UPDATE SET version = EXCLUDED.version, retry_at = EXCLUDED.retry_at,
                            body = EXCLUDED.body
              """);

  private final ArchiveStore archive = new ArchiveStore();
  private final Outbox outbox;

  public PhotoPartStore(Outbox outbox) {
    this.outbox = outbox;
  }

  /// The part of an offer at a version.
  ///
  /// @param requested photos to prepare
  /// @param removed photos that the offer no longer shows
  /// @param fed whether a feed made the change
  /// @param at the time of the change, in microseconds
  public record Change(
      OfferId offer,
      long version,
      PhotosPart part,
      List<PhotoSource> requested,
      List<String> removed,
      boolean fed,
      long at) {}

  /// Includes the parts of archived offers.
  public Map<OfferId, PhotosPart> parts(Tx tx, List<OfferId> ids, List<ArchivePosition> archived)
      throws SQLException {
    Map<OfferId, PhotosPart> parts = new HashMap<>();
    List<ArchivePosition> positions =
        archived.stream().filter(position -> ids.contains(position.id())).toList();
    archive.read(tx, positions, KIND).forEach((id, body) -> parts.put(id, part(body)));
    tx.sql(PARTS, ids).each(row -> parts.put(new OfferId(row.longAt(1)), part(row.bytesAt(2))));
    return parts;
  }

  /// At most one change for each offer.
  public void write(Tx tx, List<Change> changes) throws SQLException {
    tx.sql(SAVE, changes).update();
    outbox.append(tx, changes.stream().flatMap(c -> messages(c).stream()).toList());
  }

  private static @Nullable Instant retryAt(PhotosPart part) {
    OptionalLong at = PhotoList.nextRetryAt(part);
    return at.isPresent() ? EpochMicros.instant(at.getAsLong()) : null;
  }

  /// Requests photos of a draft, whose row contains the part.
  public void request(Tx tx, DraftKey draft, List<PhotoSource> requested, long at)
      throws SQLException {
    List<OutboxMessage> messages = new ArrayList<>();
    for (PhotoSource photo : requested) {
      PhotoRequest request =
          request(photo, at)
              .setDraft(
                  DraftReference.newBuilder().setOwner(draft.owner()).setId(draft.id().toString()))
              .build();
      messages.add(
          new OutboxMessage(
              draft.home(),
              OutboxSequence.even(at),
              PhotoTopics.REQUESTS,
              photo.getId(),
              request.toByteArray()));
    }
    outbox.append(tx, messages);
  }

  /// Requests the removal of photos that drafts of this home no longer show.
  public void requestRemoval(Tx tx, Home home, List<String> removed, long at) throws SQLException {
    outbox.append(
        tx,
        removed.stream()
            .map(id -> removal(home, PhotoTopics.REQUESTS, id, OutboxSequence.even(at)))
            .toList());
  }

  private static List<OutboxMessage> messages(Change change) {
    long seq = OutboxSequence.odd(change.at());
    List<OutboxMessage> messages = new ArrayList<>();
    for (PhotoSource photo : change.requested()) {
      PhotoRequest request =
          request(photo, change.at()).setOfferId(change.offer().toString()).build();
      messages.add(
          new OutboxMessage(
              change.offer().home(),
              seq,
              PhotoLane.of(request).topic(),
              photo.getId(),
              request.toByteArray()));
    }
    String topic = PhotoLane.of(change.fed()).topic();
    for (String removed : change.removed()) {
      messages.add(removal(change.offer().home(), topic, removed, seq));
    }
    return messages;
  }

  /// Its `seq` is higher than that of the request that it ends, even within one microsecond.
  private static OutboxMessage removal(Home home, String topic, String photo, long requestSeq) {
    byte[] removal =
        PhotoRequest.newBuilder().setPhotoId(photo).setRemoved(true).build().toByteArray();
    return new OutboxMessage(home, requestSeq + OutboxSequence.STEP, topic, photo, removal);
  }

  private static PhotoRequest.Builder request(PhotoSource photo, long at) {
    return PhotoRequest.newBuilder()
        .setPhotoId(photo.getId())
        .setUrl(photo.getUrl())
        .setFed(photo.getFeedTask() != 0)
        .setAt(EpochMicros.timestamp(at));
  }

  public static PhotosPart part(byte[] body) {
    return StoredProto.parse(PhotosPart.parser(), body, "photos part");
  }
}
