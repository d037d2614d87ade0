package dev.torg.platform.identity;

import java.net.URI;
import java.util.Optional;

/// An external identity provider, trusted for people: tokens whose `iss` is the issuer are verified with the
/// keys at the JWKS address (RSA, EC; never a shared secret).
///
/// The subject claim becomes `user:<value>` unless it already has a prefix. The roles claim is a list or a
/// space-separated string, found by a dotted path (`realm_access.roles`); the roles user, moderator, service
/// and admin count, others are ignored, and every caller has role user.
public record IdentityProvider(
    String issuer, URI jwks, Optional<String> audience, String subjectClaim, String rolesClaim) {

  public static IdentityProvider of(String issuer, URI jwks) {
    return new IdentityProvider(issuer, jwks, Optional.empty(), "sub", "roles");
  }
}
