package dev.torg.favorites.write;

import dev.torg.favorites.FavoriteKind;
import dev.torg.platform.Home;
import java.util.EnumMap;
import java.util.Map;

/// An owner's row under its lock: counts, `seq` of the last event, and the login of a merged identity.
final class OwnerRow {
  final String owner;
  final String mergedInto;
  long seq;
  long token;
  boolean changed;
  private final Map<FavoriteKind, Integer> counts = new EnumMap<>(FavoriteKind.class);

  OwnerRow(String owner, long seq, long token, String mergedInto) {
    this.owner = owner;
    this.seq = seq;
    this.token = token;
    this.mergedInto = mergedInto;
  }

  Home home() {
    return Home.of(owner);
  }

  int count(FavoriteKind kind) {
    return counts.getOrDefault(kind, 0);
  }

  void add(FavoriteKind kind, int difference) {
    counts.merge(kind, difference, Integer::sum);
  }

  boolean isMerged() {
    return !mergedInto.isEmpty();
  }
}
