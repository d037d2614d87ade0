package dev.torg.favorites;

import java.util.Optional;

/// Finds the login of a merged identity. For modules that have something to deliver to an anonymous
/// identity: [LockedAlertRules] and the bell report that it was merged.
@FunctionalInterface
public interface LoginMerges {
  /// The login that an anonymous identity was merged into; empty if there was no merge. An unfinished merge
  /// is completed first. Blocks; must not be called inside a transaction.
  Optional<String> loginOf(String anonymous);
}
