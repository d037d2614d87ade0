package dev.torg.platform.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import dev.torg.platform.Caller;
import dev.torg.platform.Caller.Role;
import dev.torg.platform.Failure;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdentityProviderTest {
  static final String ISSUER = "https://login.example";

  @TempDir Path directory;
  HttpServer provider;
  RSAKey rsa;
  ECKey ec;
  volatile String published;
  TokenService tokens;

  @BeforeEach
  void startProvider() throws Exception {
    rsa = new RSAKeyGenerator(2048).keyID("rsa").generate();
    ec = new ECKeyGenerator(Curve.P_256).keyID("ec").generate();
    published = new JWKSet(List.of(rsa, ec)).toString(true);
    provider = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    provider.createContext(
        "/jwks",
        exchange -> {
          byte[] body = published.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    provider.start();
    URI jwks = URI.create("http://127.0.0.1:" + provider.getAddress().getPort() + "/jwks");
    tokens =
        new TokenService(
            SigningKeys.open(directory.resolve("k"), InstantSource.system()),
            Lifetimes.defaults(),
            Optional.of(
                new IdentityProvider(
                    ISSUER, jwks, Optional.of("torg"), "sub", "realm_access.roles")),
            InstantSource.system());
  }

  @AfterEach
  void stopProvider() {
    provider.stop(0);
  }

  JWTClaimsSet.Builder claims(String subject) {
    return new JWTClaimsSet.Builder()
        .issuer(ISSUER)
        .audience("torg")
        .subject(subject)
        .expirationTime(Date.from(Instant.now().plusSeconds(60)));
  }

  @Test
  void verify_providersRsaToken_mapsSubjectAndNestedRoles() throws Exception {
    SignedJWT jwt =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("rsa").build(),
            claims("8f2")
                .claim("realm_access", Map.of("roles", List.of("moderator", "unheard-of")))
                .build());
    jwt.sign(new RSASSASigner(rsa));
    Caller caller = verifyOnceFetched(jwt.serialize());
    assertThat(caller.subject()).isEqualTo("user:8f2");
    assertThat(caller.roles()).containsExactlyInAnyOrder(Role.USER, Role.MODERATOR);
  }

  @Test
  void verify_providersEcToken_isAccepted() throws Exception {
    assertThat(verifyOnceFetched(ecToken(claims("user:9"), ec)).subject()).isEqualTo("user:9");
  }

  @Test
  void verify_otherSignerWithTheSameKeyId_isRefused() throws Exception {
    verifyOnceFetched(ecToken(claims("9"), ec));
    ECKey otherSigner = new ECKeyGenerator(Curve.P_256).keyID("ec").generate();
    assertRefused(ecToken(claims("9"), otherSigner));
  }

  @Test
  void verify_algorithmOfAnotherKindThanTheKey_isRefused() throws Exception {
    verifyOnceFetched(ecToken(claims("9"), ec));
    ECKey ecNamedRsa = new ECKeyGenerator(Curve.P_256).keyID("rsa").generate();
    assertRefused(ecToken(claims("9"), ecNamedRsa));
    SignedJWT rsaNamedEc =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("ec").build(), claims("9").build());
    rsaNamedEc.sign(new RSASSASigner(rsa));
    assertRefused(rsaNamedEc.serialize());
  }

  @Test
  void verify_otherAudienceOrNoSubjectOrAnonymous_isRefused() throws Exception {
    verifyOnceFetched(ecToken(claims("9"), ec));
    assertRefused(ecToken(claims("9").audience("shop"), ec));
    assertRefused(ecToken(claims("9").subject(null), ec));
    assertRefused(ecToken(claims("anon:123"), ec));
    assertRefused(ecToken(claims("9").notBeforeTime(Date.from(Instant.now().plusSeconds(30))), ec));
  }

  @Test
  void verify_providerSigningAsTorg_isRefused() throws Exception {
    verifyOnceFetched(ecToken(claims("9"), ec));
    assertRefused(ecToken(claims("9").issuer("torg").claim("roles", List.of("admin")), ec));
  }

  @Test
  void verify_ownTokenWithProviderConfigured_isAccepted() {
    assertThat(tokens.verify(tokens.issueAnonymous().token()).isAnonymous()).isTrue();
  }

  @Test
  void verify_unknownProviderKey_isUnavailableNotUnauthenticated() throws Exception {
    verifyOnceFetched(ecToken(claims("9"), ec));
    ECKey next = new ECKeyGenerator(Curve.P_256).keyID("next").generate();
    String token = ecToken(claims("9"), next);
    assertThatThrownBy(() -> tokens.verify(token))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.kind()).isEqualTo(Failure.Kind.UNAVAILABLE));
  }

  private static String ecToken(JWTClaimsSet.Builder claims, ECKey key) throws Exception {
    SignedJWT jwt =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()).build(),
            claims.build());
    jwt.sign(new ECDSASigner(key));
    return jwt.serialize();
  }

  /// The provider's keys arrive in the background.
  private Caller verifyOnceFetched(String token) {
    Instant deadline = Instant.now().plusSeconds(30);
    while (true) {
      try {
        return tokens.verify(token);
      } catch (Failure e) {
        if (e.kind() != Failure.Kind.UNAVAILABLE || Instant.now().isAfter(deadline)) {
          throw e;
        }
        LockSupport.parkNanos(5_000_000);
      }
    }
  }

  private void assertRefused(String token) {
    assertThatThrownBy(() -> tokens.verify(token))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.kind()).isEqualTo(Failure.Kind.UNAUTHENTICATED));
  }
}
