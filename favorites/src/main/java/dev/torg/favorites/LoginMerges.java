package dev.torg.favorites;

import dev.torg.favorites.merge.LoginMergeProcess;
import java.util.Optional;

/// For whoever has something for an anonymous person that has moved to a login: [LockedAlertRules] and the
/// bell say when that is so.
public final class LoginMerges {
  private final LoginMergeProcess process;

  public LoginMerges(LoginMergeProcess process) {
    this.process = process;
  }

  /// The login that an anonymous person has moved to, once everything is there: an unfinished move is
  /// finished first. Nothing where there was no move. Blocks, and not inside a transaction.
  public Optional<String> loginOf(String anonymous) {
    return process.finish(anonymous);
  }
}
