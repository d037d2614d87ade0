package dev.torg.favorites.service;

import com.google.common.hash.Hashing;
import dev.torg.api.v1.DeliverySettings;
import dev.torg.api.v1.Offer;
import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.write.FavoriteCommand;
import dev.torg.favorites.write.FavoriteCommandResult;
import dev.torg.favorites.write.FavoriteCommands;
import dev.torg.favorites.write.FavoriteCommands.OfferToSave;
import dev.torg.favorites.write.FavoriteRow;
import dev.torg.favorites.write.FavoriteWriter;
import dev.torg.offers.Offers;
import dev.torg.platform.Failure;
import dev.torg.platform.OfferId;
import dev.torg.platform.identity.Subject;
import dev.torg.queries.PriceHash;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Saves and removes favorites. Offers are looked up before they are saved: the price that the owner sees is
/// stored with them.
public final class FavoriteService {
  private static final int MAX_NOTE_BYTES = 4096;
  private static final int MAX_NAME_LENGTH = 100;
  private static final int ID_BYTES = 12;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final FavoriteWriter writer;
  private final Offers offers;
  private final InstantSource clock;
  private final Timer adding;

  public FavoriteService(
      FavoriteWriter writer, Offers offers, InstantSource clock, MeterRegistry registry) {
    this.writer = writer;
    this.offers = offers;
    this.clock = clock;
    this.adding =
        Timer.builder("torg.favorites.add")
            .description("Time to save offers or sellers")
            .publishPercentileHistogram()
            .register(registry);
  }

  public CompletableFuture<List<ItemResult>> addOffers(String owner, List<String> ids) {
    IdBatch<OfferId> batch = IdBatch.offers(ids);
    Instant at = now();
    return timed(
        withOffers(
            owner,
            batch,
            visible ->
                new FavoriteCommands.AddOffers(owner, IdBatch.toSave(batch.items(), visible), at)));
  }

  public CompletableFuture<List<ItemResult>> removeOffers(String owner, List<String> ids) {
    IdBatch<OfferId> batch = IdBatch.offers(ids);
    return submit(new FavoriteCommands.RemoveOffers(owner, texts(batch)), batch);
  }

  public CompletableFuture<List<ItemResult>> addSellers(
      String owner, List<String> ids, Optional<DeliverySettings> settings) {
    IdBatch<String> batch = IdBatch.sellers(ids);
    return timed(
        submit(new FavoriteCommands.AddSellers(owner, batch.items(), settings, now()), batch));
  }

  public CompletableFuture<List<ItemResult>> removeSellers(String owner, List<String> ids) {
    IdBatch<String> batch = IdBatch.sellers(ids);
    return submit(new FavoriteCommands.Remove(owner, FavoriteKind.SELLER, batch.items()), batch);
  }

  public CompletableFuture<List<ItemResult>> removeSearches(String owner, List<String> ids) {
    IdBatch<String> batch = IdBatch.of(ids, "searchIds", id -> id);
    return submit(new FavoriteCommands.Remove(owner, FavoriteKind.SEARCH, batch.items()), batch);
  }

  public CompletableFuture<FavoriteRow> updateSeller(
      String owner, String id, DeliverySettings settings) {
    String seller = Subject.ofUser(id, "id");
    return row(
        new FavoriteCommands.Update(
            owner, FavoriteKind.SELLER, seller, Optional.empty(), Optional.of(settings), false));
  }

  public CompletableFuture<FavoriteRow> putNote(String owner, String offerId, String text) {
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    if (bytes == 0 || bytes > MAX_NOTE_BYTES) {
      throw Failure.invalid("note.length", "bad note", "text", "must have 1 to 4096 bytes");
    }
    OfferId id = OfferId.parse(offerId);
    Instant at = now();
    return offers
        .visible(owner, List.of(id))
        .thenCompose(
            visible -> {
              Offer offer = visible.get(id);
              if (offer == null) {
                throw Failure.notFound("offer.not-found", "no such offer");
              }
              return row(new FavoriteCommands.PutNote(owner, toSave(id, offer), text, at));
            });
  }

  public CompletableFuture<FavoriteCommandResult> deleteNote(String owner, String offerId) {
    String id = OfferId.parse(offerId).toString();
    return writer.submit(new FavoriteCommands.Remove(owner, FavoriteKind.NOTE, List.of(id)));
  }

  /// A repeated idempotency key returns the same collection.
  public CompletableFuture<FavoriteRow> createCollection(
      String owner, String name, Optional<String> idempotencyKey) {
    String id =
        idempotencyKey.map(key -> derivedId(owner, key)).orElseGet(FavoriteService::randomId);
    return row(new FavoriteCommands.CreateCollection(owner, id, name(name), now()));
  }

  public CompletableFuture<FavoriteRow> renameCollection(String owner, String id, String name) {
    return row(new FavoriteCommands.RenameCollection(owner, id, name(name)));
  }

  public CompletableFuture<FavoriteCommandResult> deleteCollection(String owner, String id) {
    return writer.submit(new FavoriteCommands.DeleteCollection(owner, id));
  }

  public CompletableFuture<List<ItemResult>> addToCollection(
      String owner, String id, List<String> ids) {
    IdBatch<OfferId> batch = IdBatch.offers(ids);
    Instant at = now();
    return withOffers(
        owner,
        batch,
        visible ->
            new FavoriteCommands.AddToCollection(
                owner, id, IdBatch.toSave(batch.items(), visible), at));
  }

  public CompletableFuture<List<ItemResult>> removeFromCollection(
      String owner, String id, List<String> ids) {
    IdBatch<OfferId> batch = IdBatch.offers(ids);
    return submit(new FavoriteCommands.RemoveFromCollection(owner, id, texts(batch)), batch);
  }

  public CompletableFuture<FavoriteCommandResult> block(String owner, String seller) {
    return writer.submit(new FavoriteCommands.Block(owner, other(owner, seller), now()));
  }

  public CompletableFuture<FavoriteCommandResult> unblock(String owner, String seller) {
    String id = other(owner, seller);
    return writer.submit(new FavoriteCommands.Remove(owner, FavoriteKind.BLOCK, List.of(id)));
  }

  /// `me` is the caller in every path with a seller; a user cannot block themselves.
  private static String other(String owner, String seller) {
    String id = seller.equals("me") ? owner : Subject.ofUser(seller, "seller");
    if (id.equals(owner)) {
      throw Failure.invalid("block.self", "bad block", "seller", "must be another user");
    }
    return id;
  }

  /// Creates a command from the visible offers.
  private interface OfferCommand {
    FavoriteCommand of(Map<OfferId, OfferToSave> visible);
  }

  private CompletableFuture<List<ItemResult>> withOffers(
      String owner, IdBatch<OfferId> batch, OfferCommand command) {
    return offers
        .visible(owner, batch.items())
        .thenCompose(
            visible -> {
              Map<OfferId, OfferToSave> toSave = new HashMap<>();
              visible.forEach((id, offer) -> toSave.put(id, toSave(id, offer)));
              return writer
                  .submit(command.of(toSave))
                  .thenApply(result -> batch.results(toSave::containsKey, result.refused()));
            });
  }

  private CompletableFuture<List<ItemResult>> submit(FavoriteCommand command, IdBatch<?> batch) {
    return writer.submit(command).thenApply(result -> batch.results(result.refused()));
  }

  private CompletableFuture<FavoriteRow> row(FavoriteCommand command) {
    return writer.submit(command).thenApply(result -> result.row().orElseThrow());
  }

  private <T> CompletableFuture<T> timed(CompletableFuture<T> future) {
    long startNanos = System.nanoTime();
    return future.whenComplete(
        (_, _) -> adding.record(System.nanoTime() - startNanos, TimeUnit.NANOSECONDS));
  }

  private static OfferToSave toSave(OfferId id, Offer offer) {
    return new OfferToSave(id.toString(), PriceHash.of(offer), offer.getVersion());
  }

  private static List<String> texts(IdBatch<OfferId> batch) {
    return batch.items().stream().map(OfferId::toString).toList();
  }

  private static String name(String requested) {
    String name = requested.strip();
    if (name.isEmpty() || name.codePointCount(0, name.length()) > MAX_NAME_LENGTH) {
      throw Failure.invalid("collection.name", "bad name", "name", "must have 1 to 100 characters");
    }
    return name;
  }

  private static String randomId() {
    byte[] bytes = new byte[ID_BYTES];
    RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private static String derivedId(String owner, String key) {
    byte[] hash = Hashing.sha256().hashString(owner + '\n' + key, StandardCharsets.UTF_8).asBytes();
    return HexFormat.of().formatHex(hash, 0, ID_BYTES);
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }
}
