package dev.torg.platform.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.torg.platform.Caller;
import dev.torg.platform.Caller.Role;
import dev.torg.platform.Failure;
import dev.torg.platform.identity.TokenService.Verified;
import java.text.ParseException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Verifies a token that is not cached: its issuer decides whose keys must have signed it. The algorithm is
/// fixed per issuer, never taken from the token alone.
final class TokenVerifier {
  static final String ISSUER = "torg";
  static final String ROLES = "roles";

  /// Longer than any valid token; a header line is bounded too.
  private static final int MAX_LENGTH = 8_192;

  private final SigningKeys keys;
  private final @Nullable ProviderTokenVerifier provider;
  private final InstantSource clock;

  TokenVerifier(SigningKeys keys, @Nullable ProviderTokenVerifier provider, InstantSource clock) {
    this.keys = keys;
    this.provider = provider;
    this.clock = clock;
  }

  Verified verify(String token) {
    try {
      if (token.length() > MAX_LENGTH) {
        throw TokenService.refused("is too long", null);
      }
      SignedJWT jwt = SignedJWT.parse(token);
      JWTClaimsSet claims = jwt.getJWTClaimsSet();
      Instant expiresAt = expiry(claims);
      Caller caller =
          provider != null && provider.issued(claims)
              ? provider.verify(jwt, claims)
              : verifyOwn(jwt, claims);
      return new Verified(caller, expiresAt);
    } catch (ParseException | JOSEException | IllegalArgumentException e) {
      throw TokenService.refused("is malformed", e);
    }
  }

  private Caller verifyOwn(SignedJWT jwt, JWTClaimsSet claims)
      throws ParseException, JOSEException {
    if (!ISSUER.equals(claims.getIssuer())
        || !JWSAlgorithm.ES256.equals(jwt.getHeader().getAlgorithm())) {
      throw TokenService.refused("was not issued by a trusted issuer", null);
    }
    if (!jwt.verify(new ECDSAVerifier(key(jwt.getHeader().getKeyID()).toECPublicKey()))) {
      throw TokenService.refused("has a wrong signature", null);
    }
    Set<Role> roles = roles(claims.getStringListClaim(ROLES));
    String subject = claims.getSubject();
    if (subject == null || !Subject.isValid(subject) || roles.isEmpty()) {
      throw TokenService.refused("names no caller", null);
    }
    return new Caller(subject, roles);
  }

  private ECKey key(@Nullable String id) {
    if (id == null) {
      throw TokenService.refused("names no key", null);
    }
    return keys.find(id)
        .orElseThrow(() -> TokenService.refused("was signed with an unknown key", null));
  }

  private Instant expiry(JWTClaimsSet claims) {
    if (claims.getExpirationTime() == null) {
      throw TokenService.refused("never expires", null);
    }
    Instant expiresAt = claims.getExpirationTime().toInstant();
    if (!clock.instant().isBefore(expiresAt)) {
      throw Failure.unauthenticated("token.expired", "the token has expired");
    }
    return expiresAt;
  }

  /// The known roles among the names.
  static Set<Role> roles(@Nullable Collection<String> names) {
    Set<Role> roles = EnumSet.noneOf(Role.class);
    for (Role role : Role.values()) {
      if (names != null && names.contains(role.name().toLowerCase(Locale.ROOT))) {
        roles.add(role);
      }
    }
    return roles;
  }
}
