package dev.torg.bench.feed;

import com.google.common.hash.Hashing;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.OfferEvent;
import dev.torg.bench.wire.PlainFeedDone;
import dev.torg.offers.OfferTopics;
import dev.torg.offers.category.CategoryFile;
import dev.torg.offers.category.OfferValidator;
import dev.torg.offers.lifecycle.OfferDiff;
import dev.torg.offers.lifecycle.PublishingTerms;
import dev.torg.offers.store.Presets;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.outbox.Outbox;
import dev.torg.platform.outbox.OutboxMessage;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/// One item, one transaction. Counts of presets come last, since all items of a seller wait for one another there.
final class PlainItem {
  private static final Duration LIFETIME = Duration.ofDays(60);

  private static final String FIND =
      "SELECT offer_id, hash FROM feed_item WHERE home = ? AND seller = ? AND external_id = ? FOR UPDATE";
  private static final String OLDER =
      """
      SELECT external_id, offer_id FROM feed_item
       WHERE home = ? AND seller = ? AND task_id < ? AND removed_at IS NULL
      """;
  private static final String ADD_ITEM =
      "INSERT INTO feed_item (home, seller, external_id, offer_id, task_id, upload, hash) VALUES (?, ?, ?, ?, ?, 1, ?)";
  private static final String MARK =
      "UPDATE feed_item SET task_id = ?, hash = ? WHERE home = ? AND seller = ? AND external_id = ?";
  private static final String MARK_REMOVED =
      "UPDATE feed_item SET task_id = ?, removed_at = ? WHERE home = ? AND seller = ? AND external_id = ?";
  private static final String ADD_OFFER =
      """
      INSERT INTO offer (home, id, kind, version, seq, edited_version, status, presets, created_at, due_at, activated_at,
                         seller, external_id, category, region, token, body)
      VALUES (?, ?, 'offer', 1, ?, 1, 1, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)
      """;
  private static final String LOCK =
      "SELECT seq, body FROM offer WHERE home = ? AND id = ? AND kind = 'offer' FOR NO KEY UPDATE";
  private static final String UPDATE =
      "UPDATE offer SET version = ?, seq = ?, status = ?, presets = ?, body = ? WHERE home = ? AND id = ? AND kind = 'offer'";
  private static final String PRICE =
      "INSERT INTO price_point (home, offer_id, at, amount, currency) VALUES (?, ?, ?, ?, ?)";
  private static final String LIST =
      "INSERT INTO seller_preset (home, seller, preset, created_at, offer_id) VALUES (?, ?, ?, ?, ?)";
  private static final String UNLIST =
      "DELETE FROM seller_preset WHERE home = ? AND seller = ? AND preset = ? AND created_at = ? AND offer_id = ?";
  private static final String COUNT =
      """
      INSERT INTO seller_preset_count AS c (home, seller, preset, count) VALUES (?, ?, ?, ?)
      ON CONFLICT (home, seller, preset) DO UPDATE SET count = c.count + EXCLUDED.count
      """;
  private static final int[] PRESETS = {1, 2};

  private final Database database;
  private final Outbox outbox;
  private final String seller;
  private final Home home;
  private final long task;
  private final OfferValidator rules = new OfferValidator(CategoryFile.defaultTree());
  private final AtomicInteger created = new AtomicInteger();
  private final AtomicInteger updated = new AtomicInteger();
  private final AtomicInteger unchanged = new AtomicInteger();
  private final AtomicInteger removed = new AtomicInteger();

  private record StoredItem(OfferId offer, long hash) {}

  private record Stored(long seq, Offer offer) {}

  private record RemovedItem(String externalId, OfferId offer) {}

  PlainItem(Database database, Outbox outbox, String seller, long task) {
    this.database = database;
    this.outbox = outbox;
    this.seller = seller;
    this.home = Home.of(seller);
    this.task = task;
  }

  PlainFeedDone.Builder done() {
    return PlainFeedDone.newBuilder()
        .setCreated(created.get())
        .setUpdated(updated.get())
        .setUnchanged(unchanged.get())
        .setRemoved(removed.get());
  }

  void write(Offer item) {
    Offer content = rules.check(item).content();
    long hash =
        Hashing.murmur3_128()
            .hashString(
                content.getTitle() + content.getDescription() + content.getPrice().getAmount(),
                java.nio.charset.StandardCharsets.UTF_8)
            .asLong();
    database.inTransaction(tx -> write(tx, content, hash)).incrementAndGet();
  }

  /// One by one, in the order in which they were written.
  void removeOlder() {
    List<RemovedItem> older =
        database.read(
            tx ->
                tx.sql(OLDER)
                    .set(home)
                    .set(seller)
                    .set(task)
                    .list(row -> new RemovedItem(row.textAt(1), new OfferId(row.longAt(2)))));
    older.parallelStream()
        .forEach(
            removedItem -> database.inTransaction(tx -> remove(tx, removedItem)).incrementAndGet());
  }

  private AtomicInteger write(Tx tx, Offer content, long hash) throws SQLException {
    Optional<StoredItem> stored =
        tx.sql(FIND)
            .set(home)
            .set(seller)
            .set(content.getExternalId())
            .first(row -> new StoredItem(new OfferId(row.longAt(1)), row.longAt(2)));
    if (stored.isEmpty()) {
      create(tx, content, hash);
      return created;
    }
    mark(tx, content.getExternalId(), hash);
    if (stored.get().hash() == hash) {
      return unchanged;
    }
    edit(tx, stored.get().offer(), content);
    return updated;
  }

  private void create(Tx tx, Offer content, long hash) throws SQLException {
    OfferId id = OfferId.random(home);
    long at = EpochMicros.of(Instant.now());
    long until = at + EpochMicros.of(LIFETIME);
    Offer offer =
        PublishingTerms.copySellerContent(
                Offer.newBuilder()
                    .setId(id.toString())
                    .setDisplayId(id.display())
                    .setSellerId(seller)
                    .setStatus(Status.ACTIVE)
                    .setVersion(1)
                    .setCreatedAt(EpochMicros.timestamp(at))
                    .setActivatedAt(EpochMicros.timestamp(at))
                    .setUpdatedAt(EpochMicros.timestamp(at))
                    .setExpiresAt(EpochMicros.timestamp(until)),
                content)
            .build();
    Instant now = EpochMicros.instant(at);
    tx.sql(ADD_OFFER)
        .set(home)
        .set(id.number())
        .set(at)
        .set(Presets.of(offer).bits())
        .set(now)
        .set(EpochMicros.instant(until))
        .set(now)
        .set(seller)
        .set(offer.getExternalId())
        .set(offer.getCategory())
        .set(offer.getRegion())
        .set(offer.toByteArray())
        .update();
    addItem(tx, offer.getExternalId(), id, hash);
    addPrice(tx, id, offer, now);
    writeEvent(tx, id, Offer.getDefaultInstance(), offer, at, at);
    for (int preset : PRESETS) {
      tx.sql(LIST).set(home).set(seller).set(preset).set(now).set(id.number()).update();
    }
    count(tx, 1);
  }

  private void edit(Tx tx, OfferId id, Offer content) throws SQLException {
    Stored before = lock(tx, id);
    long at =
        Math.max(EpochMicros.of(Instant.now()), EpochMicros.of(before.offer().getUpdatedAt()) + 1);
    Offer after =
        PublishingTerms.copySellerContent(before.offer().toBuilder(), content)
            .setVersion(before.offer().getVersion() + 1)
            .setUpdatedAt(EpochMicros.timestamp(at))
            .build();
    long seq = Math.max(at, before.seq() + 1);
    update(tx, id, after, seq);
    addPrice(tx, id, after, EpochMicros.instant(at));
    writeEvent(tx, id, before.offer(), after, seq, at);
  }

  private AtomicInteger remove(Tx tx, RemovedItem removedItem) throws SQLException {
    Stored before = lock(tx, removedItem.offer());
    long at =
        Math.max(EpochMicros.of(Instant.now()), EpochMicros.of(before.offer().getUpdatedAt()) + 1);
    Offer after =
        before.offer().toBuilder()
            .setStatus(Status.REMOVED)
            .setVersion(before.offer().getVersion() + 1)
            .setUpdatedAt(EpochMicros.timestamp(at))
            .build();
    long seq = Math.max(at, before.seq() + 1);
    update(tx, removedItem.offer(), after, seq);
    tx.sql(MARK_REMOVED)
        .set(task)
        .set(EpochMicros.instant(at))
        .set(home)
        .set(seller)
        .set(removedItem.externalId())
        .update();
    writeEvent(tx, removedItem.offer(), before.offer(), after, seq, at);
    Instant listed = EpochMicros.instant(EpochMicros.of(after.getCreatedAt()));
    for (int preset : PRESETS) {
      tx.sql(UNLIST)
          .set(home)
          .set(seller)
          .set(preset)
          .set(listed)
          .set(removedItem.offer().number())
          .update();
    }
    count(tx, -1);
    return removed;
  }

  private Stored lock(Tx tx, OfferId id) throws SQLException {
    return tx.sql(LOCK)
        .set(home)
        .set(id.number())
        .first(row -> new Stored(row.longAt(1), parse(row.bytesAt(2))))
        .orElseThrow();
  }

  private void update(Tx tx, OfferId id, Offer after, long seq) throws SQLException {
    tx.sql(UPDATE)
        .set(after.getVersion())
        .set(seq)
        .set(after.getStatusValue())
        .set(Presets.of(after).bits())
        .set(after.toByteArray())
        .set(home)
        .set(id.number())
        .update();
  }

  private void addItem(Tx tx, String externalId, OfferId id, long hash) throws SQLException {
    tx.sql(ADD_ITEM)
        .set(home)
        .set(seller)
        .set(externalId)
        .set(id.number())
        .set(task)
        .set(hash)
        .update();
  }

  private void mark(Tx tx, String externalId, long hash) throws SQLException {
    tx.sql(MARK).set(task).set(hash).set(home).set(seller).set(externalId).update();
  }

  private void addPrice(Tx tx, OfferId id, Offer offer, Instant at) throws SQLException {
    tx.sql(PRICE)
        .set(home)
        .set(id.number())
        .set(at)
        .set(offer.getPrice().getAmount())
        .set(offer.getPrice().getCurrency())
        .update();
  }

  private void count(Tx tx, long change) throws SQLException {
    for (int preset : PRESETS) {
      tx.sql(COUNT).set(home).set(seller).set(preset).set(change).update();
    }
  }

  private void writeEvent(Tx tx, OfferId id, Offer before, Offer after, long seq, long at)
      throws SQLException {
    OfferEvent.Builder event =
        OfferEvent.newBuilder()
            .setOfferId(after.getId())
            .setSeq(seq)
            .setAt(EpochMicros.timestamp(at))
            .setVersion(after.getVersion())
            .setAfter(after)
            .addAllChanged(OfferDiff.between(before, after));
    if (!before.getId().isEmpty()) {
      event.setBefore(OfferDiff.matching(before));
    }
    outbox.append(
        tx,
        List.of(
            new OutboxMessage(
                home, seq, OfferTopics.OFFERS, id.toString(), event.build().toByteArray())));
  }

  private static Offer parse(byte[] body) {
    try {
      return Offer.parseFrom(body);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }
}
