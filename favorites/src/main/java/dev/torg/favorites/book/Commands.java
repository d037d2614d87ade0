package dev.torg.favorites.book;

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
public final class Commands {
  private Commands() {}

  /// An offer with the price its owner sees when saving it.
  public record OfferToSave(String id, long priceHash, long priceVersion) {}

  public record AddOffers(String owner, List<OfferToSave> offers, Instant at) implements Command {
    @Override
    public void ask(Needs needs) {
      offers.forEach(offer -> needs.rows.add(key(owner, FavoriteKind.OFFER, offer.id())));
    }

    @Override
    public Answer decide(Book book) {
      Set<String> refused = new HashSet<>();
      for (OfferToSave offer : offers) {
        if (book.isBeyondLimit(key(owner, FavoriteKind.OFFER, offer.id()))) {
          refused.add(offer.id());
        } else {
          save(book, owner, offer, at);
        }
      }
      return Answer.refusing(refused);
    }
  }

  /// With settings where the seller is new, or where any were given.
  public record AddSellers(
      String owner, List<String> sellers, Optional<DeliverySettings> settings, Instant at)
      implements Command {
    @Override
    public void ask(Needs needs) {
      sellers.forEach(seller -> needs.rows.add(key(owner, FavoriteKind.SELLER, seller)));
    }

    @Override
    public Answer decide(Book book) {
      Set<String> refused = new HashSet<>();
      for (String seller : sellers) {
        FavoriteKey key = key(owner, FavoriteKind.SELLER, seller);
        if (book.isBeyondLimit(key)) {
          refused.add(seller);
        } else {
          follow(book, key);
        }
      }
      return Answer.refusing(refused);
    }

    private void follow(Book book, FavoriteKey key) {
      Optional<FavoriteRow> row = book.row(key);
      if (row.isEmpty() || settings.isPresent()) {
        DeliverySettings given = settings.orElse(Settings.INSTANT);
        book.put(Settings.seller(row.orElseGet(() -> FavoriteRow.of(key, at)), given));
      }
    }
  }

  /// Sellers of whom the owner wants to hear nothing.
  public record Block(String owner, String seller, Instant at) implements Command {
    @Override
    public void ask(Needs needs) {
      needs.blocks.add(owner);
      needs.rows.add(key(owner, FavoriteKind.BLOCK, seller));
    }

    @Override
    public Answer decide(Book book) {
      FavoriteKey key = key(owner, FavoriteKind.BLOCK, seller);
      book.requireWithinLimit(key);
      if (book.row(key).isEmpty()) {
        book.put(FavoriteRow.of(key, at));
      }
      return Answer.DONE;
    }
  }

  /// Sellers, searches, blocks and notes: rows on which nothing hangs.
  public record Remove(String owner, FavoriteKind kind, List<String> ids) implements Command {
    @Override
    public void ask(Needs needs) {
      ids.forEach(id -> needs.rows.add(key(owner, kind, id)));
    }

    @Override
    public Answer decide(Book book) {
      ids.forEach(id -> book.remove(key(owner, kind, id)));
      return Answer.DONE;
    }
  }

  /// With its note and its places in collections.
  public record RemoveOffers(String owner, List<String> offers) implements Command {
    @Override
    public void ask(Needs needs) {
      for (String offer : offers) {
        needs.rows.add(key(owner, FavoriteKind.OFFER, offer));
        needs.rows.add(key(owner, FavoriteKind.NOTE, offer));
        needs.offers.add(new Needs.PlacesOf(owner, offer));
      }
    }

    @Override
    public Answer decide(Book book) {
      for (String offer : offers) {
        book.remove(key(owner, FavoriteKind.OFFER, offer));
        book.remove(key(owner, FavoriteKind.NOTE, offer));
        book.unplaceEverywhere(owner, offer);
      }
      return Answer.DONE;
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
      implements Command {
    @Override
    public void ask(Needs needs) {
      needs.rows.add(key(owner, FavoriteKind.SEARCH, searchId));
    }

    @Override
    public Answer decide(Book book) {
      FavoriteKey key = key(owner, FavoriteKind.SEARCH, searchId);
      book.requireWithinLimit(key);
      Optional<FavoriteRow> known = book.row(key);
      FavoriteRow row =
          known.orElseGet(
              () -> Settings.search(withBody(FavoriteRow.of(key, at)), Settings.INSTANT));
      FavoriteRow named = name.map(row::named).orElse(row);
      FavoriteRow set = settings.map(given -> Settings.search(named, given)).orElse(named);
      FavoriteRow saved = tooBroad ? Settings.dailyAtMost(set) : set;
      if (known.isEmpty() || !known.get().equals(saved)) {
        book.put(saved);
      }
      return Answer.of(saved);
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
      implements Command {
    @Override
    public void ask(Needs needs) {
      needs.rows.add(key(owner, kind, id));
    }

    @Override
    public Answer decide(Book book) {
      FavoriteRow row =
          book.row(key(owner, kind, id))
              .orElseThrow(() -> Failure.notFound("favorite.unknown", "this is not saved"));
      FavoriteRow named = name.map(row::named).orElse(row).seen();
      FavoriteRow set = settings.map(given -> Settings.with(named, given)).orElse(named);
      FavoriteRow changed = tooBroad ? Settings.dailyAtMost(set) : set;
      book.put(changed);
      return Answer.of(changed);
    }
  }

  /// Saves the offer too.
  public record PutNote(String owner, OfferToSave offer, String text, Instant at)
      implements Command {
    @Override
    public void ask(Needs needs) {
      needs.rows.add(key(owner, FavoriteKind.OFFER, offer.id()));
      needs.rows.add(key(owner, FavoriteKind.NOTE, offer.id()));
    }

    @Override
    public Answer decide(Book book) {
      FavoriteKey key = key(owner, FavoriteKind.NOTE, offer.id());
      book.requireWithinLimit(key(owner, FavoriteKind.OFFER, offer.id()));
      book.requireWithinLimit(key);
      save(book, owner, offer, at);
      FavoriteRow before = book.row(key).orElseGet(() -> FavoriteRow.of(key, at));
      byte[] body = FavoriteNote.newBuilder().setText(text).build().toByteArray();
      FavoriteRow note = before.delivered(0, body);
      book.put(note);
      return Answer.of(note);
    }
  }

  /// The same collection again, by its id, is the same collection.
  public record CreateCollection(String owner, String id, String name, Instant at)
      implements Command {
    @Override
    public void ask(Needs needs) {
      needs.rows.add(key(owner, FavoriteKind.COLLECTION, id));
      needs.names.add(new Needs.Named(owner, name));
    }

    @Override
    public Answer decide(Book book) {
      FavoriteKey key = key(owner, FavoriteKind.COLLECTION, id);
      Optional<FavoriteRow> known = book.row(key);
      if (known.isPresent()) {
        return Answer.of(requireSame(known.get()));
      }
      requireFree(book, key, name);
      book.requireWithinLimit(key);
      FavoriteRow row = FavoriteRow.of(key, at).named(name);
      book.put(row);
      return Answer.of(row);
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

  public record RenameCollection(String owner, String id, String name) implements Command {
    @Override
    public void ask(Needs needs) {
      needs.rows.add(key(owner, FavoriteKind.COLLECTION, id));
      needs.names.add(new Needs.Named(owner, name));
    }

    @Override
    public Answer decide(Book book) {
      FavoriteRow row = collection(book, owner, id);
      requireFree(book, row.key(), name);
      FavoriteRow renamed = row.named(name);
      book.put(renamed);
      return Answer.of(renamed);
    }
  }

  /// The offers stay saved.
  public record DeleteCollection(String owner, String id) implements Command {
    @Override
    public void ask(Needs needs) {
      needs.rows.add(key(owner, FavoriteKind.COLLECTION, id));
    }

    @Override
    public Answer decide(Book book) {
      book.clear(collection(book, owner, id).key());
      return Answer.DONE;
    }
  }

  /// Saves the offers too.
  public record AddToCollection(String owner, String id, List<OfferToSave> offers, Instant at)
      implements Command {
    @Override
    public void ask(Needs needs) {
      needs.rows.add(key(owner, FavoriteKind.COLLECTION, id));
      for (OfferToSave offer : offers) {
        needs.rows.add(key(owner, FavoriteKind.OFFER, offer.id()));
        needs.places.add(new Place(owner, id, offer.id()));
      }
    }

    @Override
    public Answer decide(Book book) {
      collection(book, owner, id);
      Set<String> refused = new HashSet<>();
      for (OfferToSave offer : offers) {
        if (isBeyondLimit(book, offer)) {
          refused.add(offer.id());
        } else {
          save(book, owner, offer, at);
          book.place(new Place(owner, id, offer.id()), at);
        }
      }
      return Answer.refusing(refused);
    }

    private boolean isBeyondLimit(Book book, OfferToSave offer) {
      boolean isNew = !book.isPlaced(new Place(owner, id, offer.id()));
      return isNew && book.isFull(collection(book, owner, id))
          || book.isBeyondLimit(key(owner, FavoriteKind.OFFER, offer.id()));
    }
  }

  public record RemoveFromCollection(String owner, String id, List<String> offers)
      implements Command {
    @Override
    public void ask(Needs needs) {
      needs.rows.add(key(owner, FavoriteKind.COLLECTION, id));
      offers.forEach(offer -> needs.places.add(new Place(owner, id, offer)));
    }

    @Override
    public Answer decide(Book book) {
      collection(book, owner, id);
      offers.forEach(offer -> book.unplace(new Place(owner, id, offer)));
      return Answer.of(collection(book, owner, id));
    }
  }

  static FavoriteKey key(String owner, FavoriteKind kind, String id) {
    return new FavoriteKey(owner, kind, id);
  }

  private static void save(Book book, String owner, OfferToSave offer, Instant at) {
    FavoriteKey key = key(owner, FavoriteKind.OFFER, offer.id());
    if (book.row(key).isEmpty()) {
      book.put(FavoriteRow.of(key, at).price(offer.priceHash(), offer.priceVersion()));
    }
  }

  private static FavoriteRow collection(Book book, String owner, String id) {
    return book.row(key(owner, FavoriteKind.COLLECTION, id))
        .orElseThrow(() -> Failure.notFound("collection.unknown", "there is no such collection"));
  }

  private static void requireFree(Book book, FavoriteKey self, String name) {
    book.collectionNamed(self.owner(), name)
        .filter(other -> !other.key().equals(self))
        .ifPresent(
            other -> {
              throw Failure.conflict("collection.name-taken", "you have a collection of this name");
            });
  }
}
