package dev.torg.server;

import dev.torg.api.v1.AnonymousIdentity;
import dev.torg.api.v1.CreateAnonymousRequest;
import dev.torg.api.v1.Identity;
import dev.torg.api.v1.IdentityServiceGrpc.IdentityServiceImplBase;
import dev.torg.api.v1.LoginRequest;
import dev.torg.api.v1.LoginResponse;
import dev.torg.api.v1.WhoAmIRequest;
import dev.torg.platform.Caller;
import dev.torg.platform.Failure;
import dev.torg.platform.identity.IssuedToken;
import dev.torg.platform.identity.Subject;
import dev.torg.platform.identity.TokenService;
import dev.torg.platform.rpc.CurrentCaller;
import dev.torg.server.access.RequestOrigin;
import io.grpc.stub.StreamObserver;
import java.util.Locale;

/// Anonymous identities, the caller's own identity, and the development login, which grants role user only.
public final class IdentityRpc extends IdentityServiceImplBase {
  private final TokenService tokens;
  private final DevelopmentLogin developmentLogin;

  public IdentityRpc(TokenService tokens, DevelopmentLogin developmentLogin) {
    this.tokens = tokens;
    this.developmentLogin = developmentLogin;
  }

  @Override
  public void createAnonymous(
      CreateAnonymousRequest request, StreamObserver<AnonymousIdentity> response) {
    IssuedToken issued = tokens.issueAnonymous();
    response.onNext(
        AnonymousIdentity.newBuilder()
            .setToken(issued.token())
            .setSubject(issued.subject())
            .build());
    response.onCompleted();
  }

  @Override
  public void whoAmI(WhoAmIRequest request, StreamObserver<Identity> response) {
    Caller caller = CurrentCaller.required();
    Identity.Builder identity = Identity.newBuilder().setSubject(caller.subject());
    caller.roles().stream()
        .map(role -> role.name().toLowerCase(Locale.ROOT))
        .sorted()
        .forEach(identity::addRoles);
    response.onNext(identity.build());
    response.onCompleted();
  }

  @Override
  public void login(LoginRequest request, StreamObserver<LoginResponse> response) {
    requireLogin();
    String subject = Subject.ofUser(request.getUserId(), "userId");
    response.onNext(LoginResponse.newBuilder().setToken(tokens.issueUser(subject).token()).build());
    response.onCompleted();
  }

  private void requireLogin() {
    if (developmentLogin == DevelopmentLogin.OFF) {
      throw Failure.forbidden(
          "login.disabled",
          "the development login is off on this server; log in at the identity provider");
    }
    if (developmentLogin == DevelopmentLogin.LOCAL && !RequestOrigin.isLocal()) {
      throw Failure.forbidden(
          "login.not-local",
          "the development login is for this machine only: call it as localhost, without a proxy");
    }
  }
}
