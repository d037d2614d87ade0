package dev.torg.favorites.write;

import dev.torg.api.v1.DeliverySettings;
import dev.torg.api.v1.FavoriteNote;
import dev.torg.api.v1.SavedSearch;
import dev.torg.favorites.FavoriteKind;
import dev.torg.platform.Failure;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The commands on favorites. Every command is idempotent. A limit refuses the items beyond it in a batch,
/// otherwise the whole command.
public final class FavoriteCommands {
  private FavoriteCommands() {}

  /// An offer with the price that the owner sees when saving it.
  public record OfferToSave(String id, long priceHash, long priceVersion) {}

  public record AddOffers(String owner, List<OfferToSave> offers, Instant at)
      implements FavoriteCommand {
    @Override
    public void declareReads(FavoritesReadSet reads) {
      offers.forEach(offer -> reads.rows.add(key(owner, FavoriteKind.OFFER, offer.id())));
    }

    @Override
    public FavoriteCommandResult decide(FavoritesUnitOfWork work) {
      Set<String> refused = new HashSet<>();
      for (OfferToSave offer : offers) {
        if (work.isBeyondLimit(key(owner, FavoriteKind.OFFER, offer.id()))) {
          refused.add(offer.id());
        } else {
          save(work, owner, offer, at);
        }
      }
      return FavoriteCommandResult.refusing(refused);
    }
  }

  /// Sets the delivery of new sellers, and of all if settings are given.
  public record AddSellers(
      String owner, List<String> sellers, Optional<DeliverySettings> settings, Instant at)
      implements FavoriteCommand {
    @Override
    public void declareReads(FavoritesReadSet reads) {
      sellers.forEach(seller -> reads.rows.add(key(owner, FavoriteKind.SELLER, seller)));
    }

    @Override
    public FavoriteCommandResult decide(FavoritesUnitOfWork work) {
      Set<String> refused = new HashSet<>();
      for (String seller : sellers) {
        FavoriteKey key = key(owner, FavoriteKind.SELLER, seller);
        if (work.isBeyondLimit(key)) {
          refused.add(seller);
        } else {
          follow(work, key);
        }
      }
      return FavoriteCommandResult.refusing(refused);
    }

    private void follow(FavoritesUnitOfWork work, FavoriteKey key) {
      Optional<FavoriteRow> row = work.row(key);
      if (row.isEmpty() || settings.isPresent()) {
        DeliverySettings requested = settings.orElse(DeliverySettingsCodec.INSTANT);
        work.put(
            DeliverySettingsCodec.seller(row.orElseGet(() -> FavoriteRow.of(key, at)), requested));
      }
    }
  }

  /// Blocks a seller: the owner is not notified of their offers.
  public record Block(String owner, String seller, Instant at) implements FavoriteCommand {
    @Override
    public void declareReads(FavoritesReadSet reads) {
      reads.blocks.add(owner);
      reads.rows.add(key(owner, FavoriteKind.BLOCK, seller));
    }

    @Override
    public FavoriteCommandResult decide(FavoritesUnitOfWork work) {
      FavoriteKey key = key(owner, FavoriteKind.BLOCK, seller);
      work.requireWithinLimit(key);
      if (work.row(key).isEmpty()) {
        work.put(FavoriteRow.of(key, at));
      }
      return FavoriteCommandResult.DONE;
    }
  }

  /// Removes sellers, searches, blocks or notes: rows without dependent rows.
  public record Remove(String owner, FavoriteKind kind, List<String> ids)
      implements FavoriteCommand {
    @Override
    public void declareReads(FavoritesReadSet reads) {
      ids.forEach(id -> reads.rows.add(key(owner, kind, id)));
    }

    @Override
    public FavoriteCommandResult decide(FavoritesUnitOfWork work) {
      ids.forEach(id -> work.remove(key(owner, kind, id)));
      return FavoriteCommandResult.DONE;
    }
  }

  /// Removes offers with their notes and their entries in collections.
  public record RemoveOffers(String owner, List<String> offers) implements FavoriteCommand {
    @Override
    public void declareReads(FavoritesReadSet reads) {
      for (String offer : offers) {
        reads.rows.add(key(owner, FavoriteKind.OFFER, offer));
        reads.rows.add(key(owner, FavoriteKind.NOTE, offer));
        reads.offers.add(new FavoritesReadSet.EntriesOfOffer(owner, offer));
      }
    }

    @Override
    public FavoriteCommandResult decide(FavoritesUnitOfWork work) {
      for (String offer : offers) {
        work.remove(key(owner, FavoriteKind.OFFER, offer));
        work.remove(key(owner, FavoriteKind.NOTE, offer));
        work.removeFromAllCollections(owner, offer);
      }
      return FavoriteCommandResult.DONE;
    }
  }

  /// Saving an existing search keeps its time; name and settings change if given. A search that is too broad
  /// is not INSTANT.
  public record SaveSearch(
      String owner,
      String searchId,
      Optional<String> name,
      Optional<DeliverySettings> settings,
      boolean tooBroad,
      SavedSearch body,
      Instant at)
      implements FavoriteCommand {
    @Override
    public void declareReads(FavoritesReadSet reads) {
      reads.rows.add(key(owner, FavoriteKind.SEARCH, searchId));
    }

    @Override
    public FavoriteCommandResult decide(FavoritesUnitOfWork work) {
      FavoriteKey key = key(owner, FavoriteKind.SEARCH, searchId);
      work.requireWithinLimit(key);
      Optional<FavoriteRow> existing = work.row(key);
      FavoriteRow row =
          existing.orElseGet(
              () ->
                  DeliverySettingsCodec.search(
                      withBody(FavoriteRow.of(key, at)), DeliverySettingsCodec.INSTANT));
      FavoriteRow named = name.map(row::named).orElse(row);
      FavoriteRow set =
          settings.map(requested -> DeliverySettingsCodec.search(named, requested)).orElse(named);
      FavoriteRow saved = tooBroad ? DeliverySettingsCodec.capAtDaily(set) : set;
      if (existing.isEmpty() || !existing.get().equals(saved)) {
        work.put(saved);
      }
      return FavoriteCommandResult.of(saved);
    }

    private FavoriteRow withBody(FavoriteRow row) {
      return row.delivered(0, body.toByteArray());
    }
  }

  /// Changes name and settings of a saved search or seller, if given; a search that is too broad is not
  /// INSTANT. Resets the count of new matches.
  public record Update(
      String owner,
      FavoriteKind kind,
      String id,
      Optional<String> name,
      Optional<DeliverySettings> settings,
      boolean tooBroad)
      implements FavoriteCommand {
    @Override
    public void declareReads(FavoritesReadSet reads) {
      reads.rows.add(key(owner, kind, id));
    }

    @Override
    public FavoriteCommandResult decide(FavoritesUnitOfWork work) {
      FavoriteRow row =
          work.row(key(owner, kind, id))
              .orElseThrow(() -> Failure.notFound("favorite.unknown", "this is not saved"));
      FavoriteRow named = name.map(row::named).orElse(row).seen();
      FavoriteRow set =
          settings.map(requested -> DeliverySettingsCodec.with(named, requested)).orElse(named);
      FavoriteRow changed = tooBroad ? DeliverySettingsCodec.capAtDaily(set) : set;
      work.put(changed);
      return FavoriteCommandResult.of(changed);
    }
  }

  /// Saves the offer too.
  public record PutNote(String owner, OfferToSave offer, String text, Instant at)
      implements FavoriteCommand {
    @Override
    public void declareReads(FavoritesReadSet reads) {
      reads.rows.add(key(owner, FavoriteKind.OFFER, offer.id()));
      reads.rows.add(key(owner, FavoriteKind.NOTE, offer.id()));
    }

    @Override
    public FavoriteCommandResult decide(FavoritesUnitOfWork work) {
      FavoriteKey key = key(owner, FavoriteKind.NOTE, offer.id());
      work.requireWithinLimit(key(owner, FavoriteKind.OFFER, offer.id()));
      work.requireWithinLimit(key);
      save(work, owner, offer, at);
      FavoriteRow before = work.row(key).orElseGet(() -> FavoriteRow.of(key, at));
      byte[] body = FavoriteNote.newBuilder().setText(text).build().toByteArray();
      FavoriteRow note = before.delivered(0, body);
      work.put(note);
      return FavoriteCommandResult.of(note);
    }
  }

  /// Creating a collection with an existing id returns that collection.
  public record CreateCollection(String owner, String id, String name, Instant at)
      implements FavoriteCommand {
    @Override
    public void declareReads(FavoritesReadSet reads) {
      reads.rows.add(key(owner, FavoriteKind.COLLECTION, id));
      reads.names.add(new FavoritesReadSet.Named(owner, name));
    }

    @Override
    public FavoriteCommandResult decide(FavoritesUnitOfWork work) {
      FavoriteKey key = key(owner, FavoriteKind.COLLECTION, id);
      Optional<FavoriteRow> existing = work.row(key);
      if (existing.isPresent()) {
        return FavoriteCommandResult.of(requireSame(existing.get()));
      }
      requireFree(work, key, name);
      work.requireWithinLimit(key);
      FavoriteRow row = FavoriteRow.of(key, at).named(name);
      work.put(row);
      return FavoriteCommandResult.of(row);
    }

    /// An id repeats only with the same idempotency key.
    private FavoriteRow requireSame(FavoriteRow existing) {
      if (!existing.name().equals(name)) {
        throw Failure.conflict(
            "idempotency-key.reused", "this idempotency key was used for another request");
      }
      return existing;
    }
  }

  public record RenameCollection(String owner, String id, String name) implements FavoriteCommand {
    @Override
    public void declareReads(FavoritesReadSet reads) {
      reads.rows.add(key(owner, FavoriteKind.COLLECTION, id));
      reads.names.add(new FavoritesReadSet.Named(owner, name));
    }

    @Override
    public FavoriteCommandResult decide(FavoritesUnitOfWork work) {
      FavoriteRow row = collection(work, owner, id);
      requireFree(work, row.key(), name);
      FavoriteRow renamed = row.named(name);
      work.put(renamed);
      return FavoriteCommandResult.of(renamed);
    }
  }

  /// The offers stay saved.
  public record DeleteCollection(String owner, String id) implements FavoriteCommand {
    @Override
    public void declareReads(FavoritesReadSet reads) {
      reads.rows.add(key(owner, FavoriteKind.COLLECTION, id));
    }

    @Override
    public FavoriteCommandResult decide(FavoritesUnitOfWork work) {
      work.clear(collection(work, owner, id).key());
      return FavoriteCommandResult.DONE;
    }
  }

  /// Saves the offers too.
  public record AddToCollection(String owner, String id, List<OfferToSave> offers, Instant at)
      implements FavoriteCommand {
    @Override
    public void declareReads(FavoritesReadSet reads) {
      reads.rows.add(key(owner, FavoriteKind.COLLECTION, id));
      for (OfferToSave offer : offers) {
        reads.rows.add(key(owner, FavoriteKind.OFFER, offer.id()));
        reads.entries.add(new CollectionEntry(owner, id, offer.id()));
      }
    }

    @Override
    public FavoriteCommandResult decide(FavoritesUnitOfWork work) {
      collection(work, owner, id);
      Set<String> refused = new HashSet<>();
      for (OfferToSave offer : offers) {
        if (isBeyondLimit(work, offer)) {
          refused.add(offer.id());
        } else {
          save(work, owner, offer, at);
          work.addToCollection(new CollectionEntry(owner, id, offer.id()), at);
        }
      }
      return FavoriteCommandResult.refusing(refused);
    }

    private boolean isBeyondLimit(FavoritesUnitOfWork work, OfferToSave offer) {
      boolean isNew = !work.isInCollection(new CollectionEntry(owner, id, offer.id()));
      return isNew && work.isFull(collection(work, owner, id))
          || work.isBeyondLimit(key(owner, FavoriteKind.OFFER, offer.id()));
    }
  }

  public record RemoveFromCollection(String owner, String id, List<String> offers)
      implements FavoriteCommand {
    @Override
    public void declareReads(FavoritesReadSet reads) {
      reads.rows.add(key(owner, FavoriteKind.COLLECTION, id));
      offers.forEach(offer -> reads.entries.add(new CollectionEntry(owner, id, offer)));
    }

    @Override
    public FavoriteCommandResult decide(FavoritesUnitOfWork work) {
      collection(work, owner, id);
      offers.forEach(offer -> work.removeFromCollection(new CollectionEntry(owner, id, offer)));
      return FavoriteCommandResult.of(collection(work, owner, id));
    }
  }

  static FavoriteKey key(String owner, FavoriteKind kind, String id) {
    return new FavoriteKey(owner, kind, id);
  }

  private static void save(FavoritesUnitOfWork work, String owner, OfferToSave offer, Instant at) {
    FavoriteKey key = key(owner, FavoriteKind.OFFER, offer.id());
    if (work.row(key).isEmpty()) {
      work.put(FavoriteRow.of(key, at).price(offer.priceHash(), offer.priceVersion()));
    }
  }

  private static FavoriteRow collection(FavoritesUnitOfWork work, String owner, String id) {
    return work.row(key(owner, FavoriteKind.COLLECTION, id))
        .orElseThrow(() -> Failure.notFound("collection.unknown", "there is no such collection"));
  }

  private static void requireFree(FavoritesUnitOfWork work, FavoriteKey self, String name) {
    work.collectionNamed(self.owner(), name)
        .filter(other -> !other.key().equals(self))
        .ifPresent(
            other -> {
              throw Failure.conflict("collection.name-taken", "you have a collection of this name");
            });
  }
}
