package dev.torg.favorites.merge;

import dev.torg.favorites.FavoriteKind;
import dev.torg.platform.Caller;
import dev.torg.platform.Failure;
import dev.torg.platform.identity.TokenService;
import java.util.Map;

/// Lets a person take over what they saved before they logged in. Who asks has the login's token; the
/// anonymous one proves that the other side is theirs too. Blocks.
public final class LoginMergeService {
  private final TokenService tokens;
  private final LoginMergeProcess process;

  public LoginMergeService(TokenService tokens, LoginMergeProcess process) {
    this.tokens = tokens;
    this.process = process;
  }

  public Map<FavoriteKind, Integer> move(Caller login, String anonymousToken) {
    if (login.isAnonymous()) {
      throw Failure.forbidden("move.login-needed", "log in to take over what you saved");
    }
    Caller anonymous = tokens.verify(anonymousToken);
    if (!anonymous.isAnonymous()) {
      throw Failure.invalid(
          "move.not-anonymous", "not an anonymous token", "anonymousToken", "must be anonymous");
    }
    return process.move(anonymous.subject(), login.subject());
  }
}
