package dev.torg.favorites.write;

import dev.torg.favorites.FavoriteKind;
import java.util.Comparator;

/// The last row of an anonymous identity that was merged into a login. Rows are merged in the order of
/// their rank (blocked sellers first, collections last), then of their id, then of the offer within a
/// collection. Every row up to the cursor has been merged, and must not be merged again.
///
/// @param offerId of a collection: the last of its offers; else empty
/// @param target of a collection: the login's collection that takes its offers; else empty
record MergeCursor(int rank, String id, String offerId, String target) {
  /// Before the first row.
  static final MergeCursor START = new MergeCursor(-1, "", "", "");

  private static final Comparator<MergeCursor> ORDER =
      Comparator.comparingInt(MergeCursor::rank)
          .thenComparing(MergeCursor::id)
          .thenComparing(MergeCursor::offerId);

  static MergeCursor at(FavoriteRow row) {
    return new MergeCursor(rankOf(row.kind()), row.id(), "", "");
  }

  static MergeCursor at(FavoriteRow collection, String offerId, String target) {
    return new MergeCursor(rankOf(collection.kind()), collection.id(), offerId, target);
  }

  private static int rankOf(FavoriteKind kind) {
    return kind == FavoriteKind.BLOCK ? 0 : kind.number();
  }

  /// Whether this row, or the beginning of this collection, has been merged.
  boolean covers(FavoriteRow row) {
    return ORDER.compare(at(row), this) <= 0;
  }

  /// Whether this offer of a collection has been merged.
  boolean covers(FavoriteRow collection, String offer) {
    return ORDER.compare(at(collection, offer, ""), this) <= 0;
  }
}
