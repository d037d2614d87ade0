package dev.torg.favorites.merge;

import dev.torg.favorites.FavoriteKind;
import dev.torg.platform.Caller;
import dev.torg.platform.Failure;
import dev.torg.platform.identity.TokenService;
import java.util.Map;

/// Merges an anonymous identity into the caller's login. The caller proves ownership of both: of the login
/// by the token of the request, of the anonymous identity by its token in the request. Blocks.
public final class LoginMergeService {
  private final TokenService tokens;
  private final LoginMergeProcess process;
  private final MergeAdmission admission;

  public LoginMergeService(
      TokenService tokens, LoginMergeProcess process, MergeAdmission admission) {
    this.tokens = tokens;
    this.process = process;
    this.admission = admission;
  }

  public Map<FavoriteKind, Integer> merge(Caller login, String anonymousToken) {
    if (login.isAnonymous()) {
      throw Failure.forbidden("move.login-needed", "log in to take over what you saved");
    }
    Caller anonymous = tokens.verify(anonymousToken);
    if (!anonymous.isAnonymous()) {
      throw Failure.invalid(
          "move.not-anonymous", "not an anonymous token", "anonymousToken", "must be anonymous");
    }
    if (!process.isStarted(anonymous.subject())) {
      admission.check(login.subject());
    }
    return process.merge(anonymous.subject(), login.subject());
  }
}
