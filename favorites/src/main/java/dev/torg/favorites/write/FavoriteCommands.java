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

/// All that people do to what they saved. Every command may be repeated. What would exceed a limit is
/// refused: in a batch the items beyond it, else the whole command.
public final class FavoriteCommands {
  private FavoriteCommands() {}

  /// An offer with the price its owner sees when saving it.
  public record OfferToSave(String id, long priceHash, long priceVersion) {}

  public record AddOffers(String owner, List<OfferToSave> offers, Instant at)
      implements FavoriteCommand {
    @Override
    public void declareReads(FavoritesReadSet needs) {
      offers.forEach(offer -> needs.rows.add(key(owner, FavoriteKind.OFFER, offer.id())));
    }

    @Override
    public FavoriteCommandResult decide(FavoritesUnitOfWork book) {
      Set<String> refused = new HashSet<>();
      for (OfferToSave offer : offers) {
        if (book.isBeyondLimit(key(owner, FavoriteKind.OFFER, offer.id()))) {
          refused.add(offer.id());
        } else {
          save(book, owner, offer, at);
        }
      }
      return FavoriteCommandResult.refusing(refused);
    }
  }

  /// With settings where the seller is new, or where any were given.
  public record AddSellers(
      String owner, List<String> sellers, Optional<DeliverySettings> settings, Instant at)
      implements FavoriteCommand {
    @Override
    public void declareReads(FavoritesReadSet needs) {
      sellers.forEach(seller -> needs.rows.add(key(owner, FavoriteKind.SELLER, seller)));
    }

    @Override
    public FavoriteCommandResult decide(FavoritesUnitOfWork book) {
      Set<String> refused = new HashSet<>();
      for (String seller : sellers) {
        FavoriteKey key = key(owner, FavoriteKind.SELLER, seller);
        if (book.isBeyondLimit(key)) {
          refused.add(seller);
        } else {
          follow(book, key);
        }
      }
      return FavoriteCommandResult.refusing(refused);
    }

    private void follow(FavoritesUnitOfWork book, FavoriteKey key) {
      Optional<FavoriteRow> row = book.row(key);
      if (row.isEmpty() || settings.isPresent()) {
        DeliverySettings given = settings.orElse(DeliverySettingsCodec.INSTANT);
        book.put(DeliverySettingsCodec.seller(row.orElseGet(() -> FavoriteRow.of(key, at)), given));
      }
    }
  }

  /// Sellers of whom the owner wants to hear nothing.
  public record Block(String owner, String seller, Instant at) implements FavoriteCommand {
    @Override
    public void declareReads(FavoritesReadSet needs) {
      needs.blocks.add(owner);
      needs.rows.add(key(owner, FavoriteKind.BLOCK, seller));
    }

    @Override
    public FavoriteCommandResult decide(FavoritesUnitOfWork book) {
      FavoriteKey key = key(owner, FavoriteKind.BLOCK, seller);
      book.requireWithinLimit(key);
      if (book.row(key).isEmpty()) {
        book.put(FavoriteRow.of(key, at));
      }
      return FavoriteCommandResult.DONE;
    }
  }

  /// Sellers, searches, blocks and notes: rows on which nothing hangs.
  public record Remove(String owner, FavoriteKind kind, List<String> ids)
      implements FavoriteCommand {
    @Override
    public void declareReads(FavoritesReadSet needs) {
      ids.forEach(id -> needs.rows.add(key(owner, kind, id)));
    }

    @Override
    public FavoriteCommandResult decide(FavoritesUnitOfWork book) {
      ids.forEach(id -> book.remove(key(owner, kind, id)));
      return FavoriteCommandResult.DONE;
    }
  }

  /// With its note and its places in collections.
  public record RemoveOffers(String owner, List<String> offers) implements FavoriteCommand {
    @Override
    public void declareReads(FavoritesReadSet needs) {
      for (String offer : offers) {
        needs.rows.add(key(owner, FavoriteKind.OFFER, offer));
        needs.rows.add(key(owner, FavoriteKind.NOTE, offer));
        needs.offers.add(new FavoritesReadSet.EntriesOfOffer(owner, offer));
      }
    }

    @Override
    public FavoriteCommandResult decide(FavoritesUnitOfWork book) {
      for (String offer : offers) {
        book.remove(key(owner, FavoriteKind.OFFER, offer));
        book.remove(key(owner, FavoriteKind.NOTE, offer));
        book.removeFromAllCollections(owner, offer);
      }
      return FavoriteCommandResult.DONE;
    }
  }

  /// The same search again keeps its time; name and settings change where given. One that is too broad
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
    public void declareReads(FavoritesReadSet needs) {
      needs.rows.add(key(owner, FavoriteKind.SEARCH, searchId));
    }

    @Override
    public FavoriteCommandResult decide(FavoritesUnitOfWork book) {
      FavoriteKey key = key(owner, FavoriteKind.SEARCH, searchId);
      book.requireWithinLimit(key);
      Optional<FavoriteRow> known = book.row(key);
      FavoriteRow row =
          known.orElseGet(
              () ->
                  DeliverySettingsCodec.search(
                      withBody(FavoriteRow.of(key, at)), DeliverySettingsCodec.INSTANT));
      FavoriteRow named = name.map(row::named).orElse(row);
      FavoriteRow set =
          settings.map(given -> DeliverySettingsCodec.search(named, given)).orElse(named);
      FavoriteRow saved = tooBroad ? DeliverySettingsCodec.capAtDaily(set) : set;
      if (known.isEmpty() || !known.get().equals(saved)) {
        book.put(saved);
      }
      return FavoriteCommandResult.of(saved);
    }

    private FavoriteRow withBody(FavoriteRow row) {
      return row.delivered(0, body.toByteArray());
    }
  }

  /// Name and settings of a saved search or seller, where given; INSTANT is not for a search that is too
  /// broad. Looking at it makes its matches old.
  public record Update(
      String owner,
      FavoriteKind kind,
      String id,
      Optional<String> name,
      Optional<DeliverySettings> settings,
      boolean tooBroad)
      implements FavoriteCommand {
    @Override
    public void declareReads(FavoritesReadSet needs) {
      needs.rows.add(key(owner, kind, id));
    }

    @Override
    public FavoriteCommandResult decide(FavoritesUnitOfWork book) {
      FavoriteRow row =
          book.row(key(owner, kind, id))
              .orElseThrow(() -> Failure.notFound("favorite.unknown", "this is not saved"));
      FavoriteRow named = name.map(row::named).orElse(row).seen();
      FavoriteRow set =
          settings.map(given -> DeliverySettingsCodec.with(named, given)).orElse(named);
      FavoriteRow changed = tooBroad ? DeliverySettingsCodec.capAtDaily(set) : set;
      book.put(changed);
      return FavoriteCommandResult.of(changed);
    }
  }

  /// Saves the offer too.
  public record PutNote(String owner, OfferToSave offer, String text, Instant at)
      implements FavoriteCommand {
    @Override
    public void declareReads(FavoritesReadSet needs) {
      needs.rows.add(key(owner, FavoriteKind.OFFER, offer.id()));
      needs.rows.add(key(owner, FavoriteKind.NOTE, offer.id()));
    }

    @Override
    public FavoriteCommandResult decide(FavoritesUnitOfWork book) {
      FavoriteKey key = key(owner, FavoriteKind.NOTE, offer.id());
      book.requireWithinLimit(key(owner, FavoriteKind.OFFER, offer.id()));
      book.requireWithinLimit(key);
      save(book, owner, offer, at);
      FavoriteRow before = book.row(key).orElseGet(() -> FavoriteRow.of(key, at));
      byte[] body = FavoriteNote.newBuilder().setText(text).build().toByteArray();
      FavoriteRow note = before.delivered(0, body);
      book.put(note);
      return FavoriteCommandResult.of(note);
    }
  }

  /// The same collection again, by its id, is the same collection.
  public record CreateCollection(String owner, String id, String name, Instant at)
      implements FavoriteCommand {
    @Override
    public void declareReads(FavoritesReadSet needs) {
      needs.rows.add(key(owner, FavoriteKind.COLLECTION, id));
      needs.names.add(new FavoritesReadSet.Named(owner, name));
    }

    @Override
    public FavoriteCommandResult decide(FavoritesUnitOfWork book) {
      FavoriteKey key = key(owner, FavoriteKind.COLLECTION, id);
      Optional<FavoriteRow> known = book.row(key);
      if (known.isPresent()) {
        return FavoriteCommandResult.of(requireSame(known.get()));
      }
      requireFree(book, key, name);
      book.requireWithinLimit(key);
      FavoriteRow row = FavoriteRow.of(key, at).named(name);
      book.put(row);
      return FavoriteCommandResult.of(row);
    }

    /// An id is made again only from the same idempotency key.
    private FavoriteRow requireSame(FavoriteRow known) {
      if (!known.name().equals(name)) {
        throw Failure.conflict(
            "idempotency-key.reused", "this idempotency key was used for another request");
      }
      return known;
    }
  }

  public record RenameCollection(String owner, String id, String name) implements FavoriteCommand {
    @Override
    public void declareReads(FavoritesReadSet needs) {
      needs.rows.add(key(owner, FavoriteKind.COLLECTION, id));
      needs.names.add(new FavoritesReadSet.Named(owner, name));
    }

    @Override
    public FavoriteCommandResult decide(FavoritesUnitOfWork book) {
      FavoriteRow row = collection(book, owner, id);
      requireFree(book, row.key(), name);
      FavoriteRow renamed = row.named(name);
      book.put(renamed);
      return FavoriteCommandResult.of(renamed);
    }
  }

  /// The offers stay saved.
  public record DeleteCollection(String owner, String id) implements FavoriteCommand {
    @Override
    public void declareReads(FavoritesReadSet needs) {
      needs.rows.add(key(owner, FavoriteKind.COLLECTION, id));
    }

    @Override
    public FavoriteCommandResult decide(FavoritesUnitOfWork book) {
      book.clear(collection(book, owner, id).key());
      return FavoriteCommandResult.DONE;
    }
  }

  /// Saves the offers too.
  public record AddToCollection(String owner, String id, List<OfferToSave> offers, Instant at)
      implements FavoriteCommand {
    @Override
    public void declareReads(FavoritesReadSet needs) {
      needs.rows.add(key(owner, FavoriteKind.COLLECTION, id));
      for (OfferToSave offer : offers) {
        needs.rows.add(key(owner, FavoriteKind.OFFER, offer.id()));
        needs.places.add(new CollectionEntry(owner, id, offer.id()));
      }
    }

    @Override
    public FavoriteCommandResult decide(FavoritesUnitOfWork book) {
      collection(book, owner, id);
      Set<String> refused = new HashSet<>();
      for (OfferToSave offer : offers) {
        if (isBeyondLimit(book, offer)) {
          refused.add(offer.id());
        } else {
          save(book, owner, offer, at);
          book.addToCollection(new CollectionEntry(owner, id, offer.id()), at);
        }
      }
      return FavoriteCommandResult.refusing(refused);
    }

    private boolean isBeyondLimit(FavoritesUnitOfWork book, OfferToSave offer) {
      boolean isNew = !book.isPlaced(new CollectionEntry(owner, id, offer.id()));
      return isNew && book.isFull(collection(book, owner, id))
          || book.isBeyondLimit(key(owner, FavoriteKind.OFFER, offer.id()));
    }
  }

  public record RemoveFromCollection(String owner, String id, List<String> offers)
      implements FavoriteCommand {
    @Override
    public void declareReads(FavoritesReadSet needs) {
      needs.rows.add(key(owner, FavoriteKind.COLLECTION, id));
      offers.forEach(offer -> needs.places.add(new CollectionEntry(owner, id, offer)));
    }

    @Override
    public FavoriteCommandResult decide(FavoritesUnitOfWork book) {
      collection(book, owner, id);
      offers.forEach(offer -> book.removeFromCollection(new CollectionEntry(owner, id, offer)));
      return FavoriteCommandResult.of(collection(book, owner, id));
    }
  }

  static FavoriteKey key(String owner, FavoriteKind kind, String id) {
    return new FavoriteKey(owner, kind, id);
  }

  private static void save(FavoritesUnitOfWork book, String owner, OfferToSave offer, Instant at) {
    FavoriteKey key = key(owner, FavoriteKind.OFFER, offer.id());
    if (book.row(key).isEmpty()) {
      book.put(FavoriteRow.of(key, at).price(offer.priceHash(), offer.priceVersion()));
    }
  }

  private static FavoriteRow collection(FavoritesUnitOfWork book, String owner, String id) {
    return book.row(key(owner, FavoriteKind.COLLECTION, id))
        .orElseThrow(() -> Failure.notFound("collection.unknown", "there is no such collection"));
  }

  private static void requireFree(FavoritesUnitOfWork book, FavoriteKey self, String name) {
    book.collectionNamed(self.owner(), name)
        .filter(other -> !other.key().equals(self))
        .ifPresent(
            other -> {
              throw Failure.conflict("collection.name-taken", "you have a collection of this name");
            });
  }
}
