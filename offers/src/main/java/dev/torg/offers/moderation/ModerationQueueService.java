package dev.torg.offers.moderation;

import dev.torg.api.v1.ModerationQueue;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.QueueEntry;
import dev.torg.offers.lifecycle.Effect;
import dev.torg.offers.store.ModerationQueueStore;
import dev.torg.offers.store.ModerationQueueStore.Entry;
import dev.torg.offers.store.OfferReader;
import dev.torg.platform.Caller;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.OfferId;
import dev.torg.platform.PageSize;
import dev.torg.platform.db.Database;
import dev.torg.platform.rpc.PageBytes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.ToIntFunction;

/// The moderation queue, oldest first. A claim hides an entry from other moderators until it expires.
public final class ModerationQueueService {
  private static final PageSize PAGE_SIZE = new PageSize(50, 200);
  private static final int MAX_CLAIM = 50;

  private final OfferReader reader;
  private final Database database;
  private final Duration claimFor;
  private final InstantSource clock;
  private final Executor blocking;
  private final ModerationQueueStore queue = new ModerationQueueStore();

  public ModerationQueueService(
      OfferReader reader,
      Database database,
      Duration claimFor,
      InstantSource clock,
      Executor blocking) {
    this.reader = reader;
    this.database = database;
    this.claimFor = claimFor;
    this.clock = clock;
    this.blocking = blocking;
  }

  public CompletableFuture<ModerationQueue> page(int size, String token) {
    int limit = PAGE_SIZE.of(size);
    QueueCursor after = QueueCursor.parse(token);
    return CompletableFuture.supplyAsync(
            () -> database.read(tx -> queue.page(tx, after.since(), after.offer(), limit + 1)),
            blocking)
        .thenCompose(entries -> page(entries, limit));
  }

  /// Claims the oldest unclaimed entries for the moderator.
  public CompletableFuture<ModerationQueue> claim(Caller moderator, int count) {
    int limit = count == 0 ? 1 : count;
    requireClaimable(limit);
    return CompletableFuture.supplyAsync(() -> claimed(moderator.subject(), limit), blocking)
        .thenCompose(
            entries -> offers(entries).thenApply(offers -> encode(entries, offers).build()));
  }

  private CompletableFuture<ModerationQueue> page(List<Entry> entries, int limit) {
    List<Entry> requested = entries.subList(0, Math.min(limit, entries.size()));
    return offers(requested)
        .thenApply(
            offers -> {
              List<Entry> shown = requested.subList(0, PageBytes.fitting(requested, bytes(offers)));
              boolean more = entries.size() > shown.size();
              return encode(shown, offers)
                  .setNextPageToken(more ? QueueCursor.after(shown.getLast()).token() : "")
                  .build();
            });
  }

  private CompletableFuture<Map<OfferId, Offer>> offers(List<Entry> entries) {
    return reader.get(entries.stream().map(Entry::offer).toList());
  }

  private static ToIntFunction<Entry> bytes(Map<OfferId, Offer> offers) {
    return entry -> {
      Offer offer = offers.get(entry.offer());
      return offer == null ? 0 : offer.getSerializedSize();
    };
  }

  /// Each claim is a transaction in its offer's home. If a concurrent moderator claims an entry first,
  /// the next ones are tried.
  private List<Entry> claimed(String moderator, int count) {
    List<Entry> claimed = new ArrayList<>();
    while (claimed.size() < count) {
      Instant now = clock.instant();
      List<Entry> candidates =
          database.read(tx -> queue.unclaimed(tx, now, count - claimed.size()));
      for (Entry candidate : candidates) {
        claim(moderator, candidate, now).ifPresent(claimed::add);
      }
      if (candidates.isEmpty()) {
        break;
      }
    }
    return claimed;
  }

  private Optional<Entry> claim(String moderator, Entry candidate, Instant now) {
    return database.inTransaction(
        tx -> queue.claim(tx, candidate.offer(), moderator, now, now.plus(claimFor)));
  }

  private static ModerationQueue.Builder encode(List<Entry> entries, Map<OfferId, Offer> offers) {
    ModerationQueue.Builder encoded = ModerationQueue.newBuilder();
    for (Entry entry : entries) {
      Offer offer = offers.get(entry.offer());
      if (offer != null) {
        encoded.addEntries(encode(entry).setOffer(offer));
      }
    }
    return encoded;
  }

  private static QueueEntry.Builder encode(Entry entry) {
    QueueEntry.Builder encoded =
        QueueEntry.newBuilder()
            .setSince(EpochMicros.timestamp(EpochMicros.of(entry.since())))
            .setReports(entry.reports());
    for (Effect.Cause cause : Effect.Cause.values()) {
      if ((entry.causes() & cause.bit()) != 0) {
        encoded.addCauses(cause.name());
      }
    }
    entry.claimedBy().ifPresent(encoded::setClaimedBy);
    entry
        .claimedUntil()
        .ifPresent(until -> encoded.setClaimedUntil(EpochMicros.timestamp(EpochMicros.of(until))));
    return encoded;
  }

  private static void requireClaimable(int count) {
    if (count < 1 || count > MAX_CLAIM) {
      throw Failure.invalid("page.size", "bad size", "count", "must be between 1 and " + MAX_CLAIM);
    }
  }
}
