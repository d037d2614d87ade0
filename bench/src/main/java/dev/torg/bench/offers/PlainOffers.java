package dev.torg.bench.offers;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.GetOfferRequest;
import dev.torg.api.v1.Money;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OfferEvent;
import dev.torg.api.v1.UpdateOfferRequest;
import dev.torg.bench.wire.PlainOffersGrpc;
import dev.torg.offers.OfferTopics;
import dev.torg.offers.category.CategoryFile;
import dev.torg.offers.category.OfferValidator;
import dev.torg.offers.lifecycle.OfferAccess;
import dev.torg.offers.lifecycle.OfferDiff;
import dev.torg.offers.lifecycle.PublishingTerms;
import dev.torg.offers.store.Presets;
import dev.torg.platform.Caller;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import dev.torg.platform.outbox.Outbox;
import dev.torg.platform.outbox.OutboxMessage;
import dev.torg.platform.rpc.CurrentCaller;
import io.grpc.stub.StreamObserver;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/// The baseline: the same rules, rows and events, written as most services are: each request has its own transaction
/// on one of 32 connections and sends its statements one by one.
final class PlainOffers extends PlainOffersGrpc.PlainOffersImplBase {
  private static final int CONNECTIONS = 32;

  private static final String READ =
      "SELECT body FROM offer WHERE home = ? AND id = ? AND kind = 'offer'";

  private static final String LOCK =
      "SELECT seq, presets, body FROM offer WHERE home = ? AND id = ? AND kind = 'offer' FOR NO KEY UPDATE";

  private static final String UPDATE =
      """
      UPDATE offer SET version = ?, seq = ?, edited_version = ?, status = ?, presets = ?, due_at = ?, token = ?, body = ?
       WHERE home = ? AND id = ? AND kind = 'offer'
      """;

  private static final String PRICE =
      "INSERT INTO price_point (home, offer_id, at, amount, currency) VALUES (?, ?, ?, ?, ?)";

  private final Database database;
  private final Outbox outbox;
  private final OfferValidator rules = new OfferValidator(CategoryFile.defaultTree());

  PlainOffers(String url, Outbox outbox) {
    this.database = Database.connect(url, CONNECTIONS);
    this.outbox = outbox;
  }

  @Override
  public void get(GetOfferRequest request, StreamObserver<Offer> response) {
    OfferId id = OfferId.parse(request.getId());
    Offer offer =
        database
            .read(
                tx ->
                    tx.sql(READ)
                        .set(id.home())
                        .set(id.number())
                        .first(row -> parse(row.bytesAt(1))))
            .orElseThrow(OfferAccess::notFound);
    response.onNext(offer);
    response.onCompleted();
  }

  @Override
  public void update(UpdateOfferRequest request, StreamObserver<Offer> response) {
    OfferId id = OfferId.parse(request.getId());
    Caller caller = CurrentCaller.required();
    Offer content = rules.check(request.getOffer()).content();
    Offer updated = database.inTransaction(tx -> update(tx, id, caller, content));
    response.onNext(updated);
    response.onCompleted();
  }

  private record Stored(long seq, int presets, Offer offer) {}

  private Offer update(Tx tx, OfferId id, Caller caller, Offer content) throws SQLException {
    Stored before =
        tx.sql(LOCK)
            .set(id.home())
            .set(id.number())
            .first(PlainOffers::stored)
            .orElseThrow(OfferAccess::notFound);
    OfferAccess.requireOwner(caller, before.offer(), Instant.now());
    long at =
        Math.max(EpochMicros.of(Instant.now()), EpochMicros.of(before.offer().getUpdatedAt()) + 1);
    Offer after =
        PublishingTerms.copySellerContent(before.offer().toBuilder(), content)
            .setVersion(before.offer().getVersion() + 1)
            .setUpdatedAt(EpochMicros.timestamp(at))
            .build();
    if (Presets.of(after).bits() != before.presets()) {
      throw new IllegalStateException("the benchmark's edits change no preset");
    }
    long seq = Math.max(at, before.seq() + 1);
    write(tx, id, after, seq, before.presets());
    if (!OfferDiff.samePrice(before.offer(), after)) {
      addPrice(tx, id, after.getPrice(), at);
    }
    outbox.append(tx, List.of(event(id, before.offer(), after, seq, at)));
    return after;
  }

  private static void write(Tx tx, OfferId id, Offer after, long seq, int presets)
      throws SQLException {
    tx.sql(UPDATE)
        .set(after.getVersion())
        .set(seq)
        .set(after.getVersion())
        .set(after.getStatus().getNumber())
        .set(presets)
        .set(EpochMicros.instant(EpochMicros.of(after.getExpiresAt())))
        .set(0L)
        .set(after.toByteArray())
        .set(id.home())
        .set(id.number())
        .update();
  }

  private static void addPrice(Tx tx, OfferId id, Money price, long at) throws SQLException {
    tx.sql(PRICE)
        .set(id.home())
        .set(id.number())
        .set(EpochMicros.instant(at))
        .set(price.getAmount())
        .set(price.getCurrency())
        .update();
  }

  private static OutboxMessage event(OfferId id, Offer before, Offer after, long seq, long at) {
    OfferEvent event =
        OfferEvent.newBuilder()
            .setOfferId(after.getId())
            .setSeq(seq)
            .setAt(EpochMicros.timestamp(at))
            .setVersion(after.getVersion())
            .setAfter(after)
            .setBefore(OfferDiff.matching(before))
            .addAllChanged(OfferDiff.between(before, after))
            .build();
    return new OutboxMessage(
        id.home(), seq, OfferTopics.OFFERS, after.getId(), event.toByteArray());
  }

  private static Stored stored(Row row) throws SQLException {
    return new Stored(row.longAt(1), row.intAt(2), parse(row.bytesAt(3)));
  }

  private static Offer parse(byte[] body) {
    try {
      return Offer.parseFrom(body);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }
}
