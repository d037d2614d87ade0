package dev.torg.offers.store;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.DraftReference;
import dev.torg.api.v1.PhotoRequest;
import dev.torg.offers.lifecycle.DraftKey;
import dev.torg.offers.lifecycle.PhotoList;
import dev.torg.offers.part.PhotoSource;
import dev.torg.offers.part.PhotosPart;
import dev.torg.offers.store.ArchiveStore.Place;
import dev.torg.photos.PhotoLane;
import dev.torg.photos.PhotoTopics;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.HomedSql;
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

  private static final HomedSql PARTS =
      HomedSql.of(
          """
          SELECT o.id, o.body FROM unnest(?::int[], ?::bigint[]) AS k (home, id)
            JOIN offer o ON o.home = k.home AND o.id = k.id AND o.kind = 'photos'
           WHERE :home(o)
          """);

  private static final String SAVE =
      """
      INSERT INTO offer AS o (home, id, kind, version, seq, retry_at, body)
      SELECT k.home, k.id, 'photos', k.version, 0, k.retry_at, k.body
        FROM unnest(?::int[], ?::bigint[], ?::bigint[], ?::timestamptz[], ?::bytea[])
          AS k (home, id, version, retry_at, body)
      ON CONFLICT (home, id, kind)
      DO UPDATE SET version = EXCLUDED.version, retry_at = EXCLUDED.retry_at, body = EXCLUDED.body
      """;

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
  public Map<OfferId, PhotosPart> parts(Tx tx, List<OfferId> ids, List<Place> archived)
      throws SQLException {
    Map<OfferId, PhotosPart> parts = new HashMap<>();
    if (!ids.isEmpty()) {
      List<Place> places = archived.stream().filter(place -> ids.contains(place.id())).toList();
      archive.read(tx, places, KIND).forEach((id, body) -> parts.put(id, part(body)));
      tx.sql(PARTS, ids, OfferId::home)
          .homes(ids, OfferId::home)
          .longs(ids, OfferId::number)
          .each(row -> parts.put(new OfferId(row.longAt(1)), part(row.bytesAt(2))));
    }
    return parts;
  }

  /// At most one change for each offer.
  public void write(Tx tx, List<Change> changes) throws SQLException {
    if (!changes.isEmpty()) {
      tx.sql(SAVE)
          .homes(changes, change -> change.offer().home())
          .longs(changes, change -> change.offer().number())
          .longs(changes, Change::version)
          .instants(changes, change -> retryAt(change.part()))
          .bytes(changes, change -> change.part().toByteArray())
          .update();
      outbox.append(tx, changes.stream().flatMap(c -> messages(c).stream()).toList());
    }
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
    try {
      return PhotosPart.parseFrom(body);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored photos part cannot be read", e);
    }
  }
}
