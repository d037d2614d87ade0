package dev.torg.platform.identity;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.torg.platform.Caller;
import dev.torg.platform.Caller.Role;
import dev.torg.platform.Failure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Issues and verifies tokens.
///
/// A signature takes up to a millisecond to verify (ES256 in the JDK), a cache lookup 0.1 µs; so verified
/// tokens are cached until they expire, at most [#MAX_CACHED_TOKENS] of them. The cache key is the whole token:
/// one changed character is another token.
public final class TokenService {
  /// Half a kilobyte each: at most 50 MB.
  private static final int MAX_CACHED_TOKENS = 100_000;

  private final SigningKeys keys;
  private final Lifetimes lifetimes;
  private final InstantSource clock;
  private final TokenVerifier check;
  private final Cache<String, Verified> verified;

  public TokenService(
      SigningKeys keys,
      Lifetimes lifetimes,
      Optional<IdentityProvider> provider,
      InstantSource clock) {
    this.keys = keys;
    this.lifetimes = lifetimes;
    this.clock = clock;
    this.check =
        new TokenVerifier(
            keys,
            provider.map(trusted -> new ProviderTokenVerifier(trusted, clock)).orElse(null),
            clock);
    this.verified =
        Caffeine.newBuilder()
            .maximumSize(MAX_CACHED_TOKENS)
            .expireAfter(
                Expiry.<String, Verified>creating(
                    (_, token) -> Duration.between(clock.instant(), token.expiresAt())))
            .build();
  }

  /// A new anonymous identity. Torg signs it, so taking over its data at login requires this token.
  public IssuedToken issueAnonymous() {
    return issue(Subject.randomAnonymous(), Set.of(Role.ANONYMOUS), lifetimes.anonymous());
  }

  /// Grants role user only.
  public IssuedToken issueUser(String subject) {
    return issue(subject, Set.of(Role.USER), lifetimes.user());
  }

  /// For operators: any subject and roles. No token is valid for longer than an anonymous identity, so that a
  /// retired key can be dropped.
  public IssuedToken issue(String subject, Set<Role> roles, Duration lifetime) {
    Subject.parse(subject, "subject");
    requireFittingRoles(subject, roles);
    Duration bounded = lifetime.compareTo(lifetimes.max()) > 0 ? lifetimes.max() : lifetime;
    Instant expiresAt = clock.instant().plus(bounded);
    return new IssuedToken(sign(subject, roles, expiresAt), subject, expiresAt);
  }

  /// The caller a token stands for, or UNAUTHENTICATED.
  public Caller verify(String token) {
    Verified cached = verified.getIfPresent(token);
    if (cached == null) {
      cached = check.verify(token);
      verified.put(token, cached);
    }
    if (!clock.instant().isBefore(cached.expiresAt())) {
      throw Failure.unauthenticated("token.expired", "the token has expired");
    }
    return cached.caller();
  }

  /// The caller of a token that was verified before and is still valid; no signature is checked.
  public Optional<Caller> recall(String token) {
    Verified cached = verified.getIfPresent(token);
    return cached != null && clock.instant().isBefore(cached.expiresAt())
        ? Optional.of(cached.caller())
        : Optional.empty();
  }

  /// Signs with a new key from now on; tokens of older keys stay valid until they expire. Returns
  /// the number of older keys.
  public int rotateKeys() {
    keys.rotate(clock, lifetimes.max());
    return keys.size() - 1;
  }

  /// Authenticates texts with keys that are derived from those of the tokens.
  public MessageAuthenticator messageAuthenticator() {
    return new MessageAuthenticator(keys);
  }

  private String sign(String subject, Set<Role> roles, Instant expiresAt) {
    List<String> names =
        roles.stream().map(role -> role.name().toLowerCase(Locale.ROOT)).sorted().toList();
    JWTClaimsSet claims =
        new JWTClaimsSet.Builder()
            .issuer(TokenVerifier.ISSUER)
            .subject(subject)
            .claim(TokenVerifier.ROLES, names)
            .issueTime(Date.from(clock.instant()))
            .expirationTime(Date.from(expiresAt))
            .build();
    var key = keys.current();
    JWSHeader header =
        new JWSHeader.Builder(JWSAlgorithm.ES256)
            .type(JOSEObjectType.JWT)
            .keyID(key.getKeyID())
            .build();
    SignedJWT token = new SignedJWT(header, claims);
    try {
      token.sign(new ECDSASigner(key));
    } catch (JOSEException e) {
      throw new IllegalStateException("cannot sign with the current key", e);
    }
    return token.serialize();
  }

  private static void requireFittingRoles(String subject, Set<Role> roles) {
    boolean anonymous = subject.startsWith(Caller.ANONYMOUS_PREFIX);
    if (roles.isEmpty() || anonymous != roles.contains(Role.ANONYMOUS)) {
      throw Failure.invalid(
          "token.roles",
          "these roles do not fit the subject",
          "roles",
          "anon:… has exactly role anonymous, others have at least one other role");
    }
    if (anonymous && roles.size() > 1) {
      throw Failure.invalid(
          "token.roles", "these roles do not fit the subject", "roles", "anon:… has one role");
    }
  }

  record Verified(Caller caller, Instant expiresAt) {}

  static Failure refused(String reason, @Nullable Throwable cause) {
    return new Failure(
        Failure.Kind.UNAUTHENTICATED, "token.invalid", "the token " + reason, List.of(), cause);
  }
}
