package dev.torg.platform.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.torg.platform.Caller;
import dev.torg.platform.Caller.Role;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Checks tokens of the given identity provider and translates its claims to a caller.
final class ProviderTokenVerifier {
  private final IdentityProvider provider;
  private final ProviderKeys keys;
  private final InstantSource clock;

  ProviderTokenVerifier(IdentityProvider provider, InstantSource clock) {
    this.provider = provider;
    this.keys = new ProviderKeys(provider.jwks(), clock);
    this.clock = clock;
    keys.fetchInBackground();
  }

  boolean issued(JWTClaimsSet claims) {
    return provider.issuer().equals(claims.getIssuer());
  }

  Caller verify(SignedJWT jwt, JWTClaimsSet claims) throws JOSEException {
    if (!jwt.verify(verifier(jwt, keys.find(jwt.getHeader().getKeyID())))) {
      throw TokenService.refused("has a wrong signature", null);
    }
    if (provider.audience().isPresent()
        && !claims.getAudience().contains(provider.audience().get())) {
      throw TokenService.refused("is meant for another audience", null);
    }
    if (claims.getNotBeforeTime() != null
        && clock.instant().isBefore(claims.getNotBeforeTime().toInstant())) {
      throw TokenService.refused("is not valid yet", null);
    }
    return new Caller(subject(claims), roles(claims));
  }

  /// The key's kind decides which algorithms it may be used with: a public key is never a shared secret.
  private static JWSVerifier verifier(SignedJWT jwt, JWK key) throws JOSEException {
    JWSAlgorithm algorithm = jwt.getHeader().getAlgorithm();
    if (JWSAlgorithm.Family.EC.contains(algorithm) && key instanceof ECKey ec) {
      return new ECDSAVerifier(ec);
    }
    if (JWSAlgorithm.Family.RSA.contains(algorithm) && key instanceof RSAKey rsa) {
      return new RSASSAVerifier(rsa);
    }
    throw TokenService.refused("is signed with a refused algorithm", null);
  }

  private String subject(JWTClaimsSet claims) {
    Object claim = claim(claims, provider.subjectClaim());
    String value = claim == null ? "" : claim.toString();
    String subject = value.indexOf(':') < 0 ? Caller.USER_PREFIX + value : value;
    if (!Subject.isValid(subject) || subject.startsWith(Caller.ANONYMOUS_PREFIX)) {
      throw TokenService.refused("names no caller", null);
    }
    return subject;
  }

  private Set<Role> roles(JWTClaimsSet claims) {
    Object value = claim(claims, provider.rolesClaim());
    Collection<String> names =
        switch (value) {
          case null -> List.of();
          case Collection<?> list -> list.stream().map(String::valueOf).toList();
          default -> Arrays.asList(value.toString().split("[ ,]+"));
        };
    Set<Role> roles = EnumSet.of(Role.USER);
    roles.addAll(TokenVerifier.roles(names));
    roles.remove(Role.ANONYMOUS);
    return roles;
  }

  private static @Nullable Object claim(JWTClaimsSet claims, String path) {
    Object claim = claims.getClaim(path);
    if (claim != null) {
      return claim;
    }
    Object value = claims.getClaims();
    for (String step : path.split("\\.")) {
      value = value instanceof Map<?, ?> object ? object.get(step) : null;
    }
    return value;
  }
}
