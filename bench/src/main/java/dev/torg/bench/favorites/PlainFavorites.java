package dev.torg.bench.favorites;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Timestamp;
import dev.torg.api.v1.BatchResult;
import dev.torg.api.v1.BatchResults;
import dev.torg.api.v1.Favorite;
import dev.torg.api.v1.FavoriteEvent;
import dev.torg.api.v1.FavoriteNote;
import dev.torg.api.v1.FavoriteOffer;
import dev.torg.api.v1.ListFavoritesRequest;
import dev.torg.api.v1.ListFavoritesResponse;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OfferIds;
import dev.torg.bench.wire.PlainFavoritesGrpc;
import dev.torg.favorites.FavoriteTopics;
import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.outbox.EventSequence;
import dev.torg.platform.outbox.Outbox;
import dev.torg.platform.outbox.OutboxMessage;
import dev.torg.platform.rpc.CurrentCaller;
import dev.torg.queries.PriceHash;
import io.grpc.stub.StreamObserver;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The baseline: the same rules, rows and events, written as most services are: each request has its own transaction
/// on one of 32 connections and sends its statements one by one. A page's offers, notes and collections are fetched
/// with one statement each, not one an offer.
final class PlainFavorites extends PlainFavoritesGrpc.PlainFavoritesImplBase {
  private static final int CONNECTIONS = 32;

  private static final String OFFER =
      "SELECT body FROM offer WHERE home = ? AND id = ? AND kind = 'offer'";

  private static final String LOCK =
      "SELECT seq, moved_to FROM favorite_owner WHERE home = ? AND owner = ? FOR UPDATE";

  private static final String ADD_OWNER =
      """
      INSERT INTO favorite_owner (home, owner, offers, searches, sellers, notes, collections, seq, token)
      VALUES (?, ?, 0, 0, 0, 0, 0, 0, 0) ON CONFLICT DO NOTHING
      """;

  private static final String ADD =
      """
      INSERT INTO favorite (home, owner, kind, favorite_id, created_at, delivery, size, price_hash, price_version,
                            name, body)
      VALUES (?, ?, 1, ?, ?, 0, 0, ?, ?, '', '') ON CONFLICT DO NOTHING
      """;

  private static final String COUNT =
      "UPDATE favorite_owner SET offers = offers + 1, seq = ?, token = 1 WHERE home = ? AND owner = ?";

  private static final String SELECT_PAGE =
      """
      SELECT favorite_id, created_at FROM favorite WHERE home = ? AND owner = ? AND kind = 1
       ORDER BY created_at DESC, favorite_id DESC LIMIT ?
      """;

  private static final String OFFERS =
      """
      SELECT o.id, o.body FROM unnest(?::int[], ?::bigint[]) AS k (home, id)
        JOIN offer o ON o.home = k.home AND o.id = k.id AND o.kind = 'offer'
      """;

  private static final String NOTES =
      """
      SELECT favorite_id, body FROM favorite
       WHERE home = ? AND owner = ? AND kind = 4 AND favorite_id = ANY (?::text[])
      """;

  private static final String COLLECTIONS =
      """
      SELECT offer_id, collection FROM collection_offer
       WHERE home = ? AND owner = ? AND offer_id = ANY (?::text[]) ORDER BY collection
      """;

  private final Database database;
  private final Outbox outbox;
  private final EventSequence seq = new EventSequence(InstantSource.system());

  PlainFavorites(String url, Outbox outbox) {
    this.database = Database.connect(url, CONNECTIONS);
    this.outbox = outbox;
  }

  @Override
  public void add(OfferIds request, StreamObserver<BatchResults> response) {
    String owner = CurrentCaller.required().subject();
    BatchResults.Builder results = BatchResults.newBuilder();
    for (String id : request.getOfferIdsList()) {
      String code = database.inTransaction(tx -> add(tx, owner, OfferId.parse(id)));
      results.addResults(BatchResult.newBuilder().setId(id).setCode(code));
    }
    response.onNext(results.build());
    response.onCompleted();
  }

  private String add(Tx tx, String owner, OfferId id) throws SQLException {
    Offer offer =
        tx.sql(OFFER)
            .set(id.home())
            .set(id.number())
            .first(row -> offer(row.bytesAt(1)))
            .orElse(Offer.getDefaultInstance());
    if (offer.getStatus() != Offer.Status.ACTIVE) {
      return Failure.Kind.NOT_FOUND.name();
    }
    long before = lock(tx, owner);
    Instant now = Instant.now().truncatedTo(ChronoUnit.MICROS);
    int added =
        tx.sql(ADD)
            .set(Home.of(owner))
            .set(owner)
            .set(id.toString())
            .set(now)
            .set(PriceHash.of(offer))
            .set(offer.getVersion())
            .update();
    if (added > 0) {
      count(tx, owner, seq.after(before), offer, now);
    }
    return "OK";
  }

  private static long lock(Tx tx, String owner) throws SQLException {
    for (int i = 0; i < 2; i++) {
      var owned = tx.sql(LOCK).set(Home.of(owner)).set(owner).first(row -> row.longAt(1));
      if (owned.isPresent()) {
        return owned.get();
      }
      tx.sql(ADD_OWNER).set(Home.of(owner)).set(owner).update();
    }
    throw new IllegalStateException("the owner was not added");
  }

  private void count(Tx tx, String owner, long next, Offer offer, Instant now) throws SQLException {
    tx.sql(COUNT).set(next).set(Home.of(owner)).set(owner).update();
    FavoriteEvent event =
        FavoriteEvent.newBuilder()
            .setOwner(owner)
            .setSeq(next)
            .setAt(timestamp(now))
            .setKind(Favorite.Kind.OFFER)
            .setId(offer.getId())
            .setCreatedAt(timestamp(now))
            .setPriceHash(PriceHash.of(offer))
            .setPriceVersion(offer.getVersion())
            .build();
    outbox.append(
        tx,
        List.of(
            new OutboxMessage(
                Home.of(owner), next, FavoriteTopics.FAVORITES, owner, event.toByteArray())));
  }

  @Override
  public void list(ListFavoritesRequest request, StreamObserver<ListFavoritesResponse> response) {
    String owner = CurrentCaller.required().subject();
    response.onNext(database.read(tx -> list(tx, owner, request.getPageSize())));
    response.onCompleted();
  }

  private record Saved(String id, Instant at) {}

  private static ListFavoritesResponse list(Tx tx, String owner, int size) throws SQLException {
    List<Saved> page =
        tx.sql(SELECT_PAGE)
            .set(Home.of(owner))
            .set(owner)
            .set(size)
            .list(row -> new Saved(row.textAt(1), row.instantAt(2)));
    Map<String, Offer> offers = offers(tx, page);
    Map<String, String> notes = new HashMap<>();
    tx.sql(NOTES)
        .set(Home.of(owner))
        .set(owner)
        .texts(page, Saved::id)
        .each(row -> notes.put(row.textAt(1), note(row.bytesAt(2))));
    Map<String, List<String>> collections = new HashMap<>();
    tx.sql(COLLECTIONS)
        .set(Home.of(owner))
        .set(owner)
        .texts(page, Saved::id)
        .each(
            row ->
                collections
                    .computeIfAbsent(row.textAt(1), _ -> new ArrayList<>())
                    .add(row.textAt(2)));
    ListFavoritesResponse.Builder response = ListFavoritesResponse.newBuilder();
    for (Saved saved : page) {
      FavoriteOffer.Builder favorite =
          FavoriteOffer.newBuilder()
              .setId(saved.id())
              .setNote(notes.getOrDefault(saved.id(), ""))
              .addAllCollectionIds(collections.getOrDefault(saved.id(), List.of()));
      Offer offer = offers.get(saved.id());
      response.addFavorites(favorite(saved, offer == null ? favorite : favorite.setOffer(offer)));
    }
    return response.build();
  }

  private static Map<String, Offer> offers(Tx tx, List<Saved> page) throws SQLException {
    List<OfferId> ids = page.stream().map(saved -> OfferId.parse(saved.id())).toList();
    Map<String, Offer> offers = new HashMap<>();
    tx.sql(OFFERS)
        .homes(ids, OfferId::home)
        .longs(ids, OfferId::number)
        .each(row -> offers.put(new OfferId(row.longAt(1)).toString(), offer(row.bytesAt(2))));
    return offers;
  }

  private static Favorite favorite(Saved saved, FavoriteOffer.Builder offer) {
    return Favorite.newBuilder()
        .setKind(Favorite.Kind.OFFER)
        .setId(saved.id())
        .setCreatedAt(timestamp(saved.at()))
        .setOffer(offer)
        .build();
  }

  private static Timestamp timestamp(Instant at) {
    return Timestamp.newBuilder().setSeconds(at.getEpochSecond()).setNanos(at.getNano()).build();
  }

  private static Offer offer(byte[] body) {
    try {
      return Offer.parseFrom(body);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String note(byte[] body) {
    try {
      return FavoriteNote.parseFrom(body).getText();
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }
}
