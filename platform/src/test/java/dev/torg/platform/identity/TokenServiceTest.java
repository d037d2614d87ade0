package dev.torg.platform.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.torg.platform.Caller;
import dev.torg.platform.Caller.Role;
import dev.torg.platform.Failure;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenServiceTest {
  @TempDir Path directory;
  Instant now = Instant.parse("2026-03-01T10:00:00Z");
  TokenService tokens;

  @BeforeEach
  void openTokens() {
    tokens = open();
  }

  TokenService open() {
    SigningKeys keys = SigningKeys.open(file(), () -> now);
    return new TokenService(keys, Lifetimes.defaults(), Optional.empty(), () -> now);
  }

  Path file() {
    return directory.resolve("keys").resolve("tokens.jwks");
  }

  @Test
  void verify_issuedUser_namesSubjectAndRole() {
    assertThat(tokens.verify(tokens.issueUser("user:42").token()))
        .isEqualTo(new Caller("user:42", Set.of(Role.USER)));
  }

  @Test
  void issueAnonymous_twice_givesDifferentIdentities() {
    IssuedToken first = tokens.issueAnonymous();
    assertThat(first.subject()).matches("anon:[0-9a-f]{32}");
    assertThat(tokens.issueAnonymous().subject()).isNotEqualTo(first.subject());
    assertThat(tokens.verify(first.token()).roles()).containsExactly(Role.ANONYMOUS);
  }

  @Test
  void issue_operatorRoles_areAllThere() {
    IssuedToken token =
        tokens.issue("user:7", Set.of(Role.USER, Role.MODERATOR), Duration.ofHours(1));
    assertThat(tokens.verify(token.token()).roles())
        .containsExactlyInAnyOrder(Role.USER, Role.MODERATOR);
  }

  @Test
  void issue_anonymousSubjectWithPrivileges_isRefused() {
    assertThatThrownBy(() -> tokens.issue("anon:1", Set.of(Role.ADMIN), Duration.ofHours(1)))
        .isInstanceOf(Failure.class);
    assertThatThrownBy(
            () -> tokens.issue("anon:1", Set.of(Role.ANONYMOUS, Role.ADMIN), Duration.ofHours(1)))
        .isInstanceOf(Failure.class);
    assertThatThrownBy(() -> tokens.issue("user:1", Set.of(), Duration.ofHours(1)))
        .isInstanceOf(Failure.class);
  }

  @Test
  void verify_cachedTokenAfterItsEnd_isExpired() {
    String token = tokens.issueUser("user:42").token();
    tokens.verify(token);
    now = now.plus(Lifetimes.defaults().user());
    assertThatThrownBy(() -> tokens.verify(token))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.code()).isEqualTo("token.expired"));
    assertThatThrownBy(() -> open().verify(token)).isInstanceOf(Failure.class);
  }

  @Test
  void verify_changedClaims_isRefused() {
    String[] parts = tokens.issueUser("user:42").token().split("\\.");
    String claims = new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8);
    String forged =
        parts[0]
            + "."
            + Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(
                    claims.replace("user:42", "user:43").getBytes(StandardCharsets.UTF_8))
            + "."
            + parts[2];
    assertRefused(forged);
  }

  @Test
  void verify_noneOrSharedSecretAlgorithm_isRefused() throws Exception {
    String header = encode("{\"alg\":\"none\"}");
    String claims =
        encode("{\"iss\":\"torg\",\"sub\":\"user:1\",\"roles\":[\"admin\"],\"exp\":4102444800}");
    assertRefused(header + "." + claims + ".");
    SignedJWT mac =
        new SignedJWT(
            new JWSHeader(JWSAlgorithm.HS256),
            new JWTClaimsSet.Builder()
                .issuer("torg")
                .subject("user:1")
                .claim("roles", List.of("admin"))
                .expirationTime(Date.from(now.plusSeconds(60)))
                .build());
    mac.sign(new MACSigner(new byte[32]));
    assertRefused(mac.serialize());
  }

  @Test
  void verify_anotherInstallationsToken_isRefused() {
    assertRefused(tokenOfAnotherInstallation());
  }

  private String tokenOfAnotherInstallation() {
    SigningKeys keys = SigningKeys.open(directory.resolve("foreign"), () -> now);
    return new TokenService(keys, Lifetimes.defaults(), Optional.empty(), () -> now)
        .issueUser("user:42")
        .token();
  }

  private static String keyOf(String token) throws java.text.ParseException {
    return SignedJWT.parse(token).getHeader().getKeyID();
  }

  @Test
  void verify_garbage_isRefused() {
    assertRefused("");
    assertRefused("abc");
    assertRefused("a.b.c");
    assertRefused("x".repeat(100_000));
  }

  @Test
  void open_secondTime_keepsKeyAndItsTokens() throws Exception {
    String token = tokens.issueUser("user:42").token();
    assertThat(open().verify(token).subject()).isEqualTo("user:42");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
    try (var files = Files.list(file().getParent())) {
      assertThat(files).hasSize(1);
    }
  }

  @Test
  void rotateKeys_elsewhere_bothOldAndNewTokensVerify() {
    String oldToken = tokens.issueUser("user:1").token();
    TokenService other = open();
    now = now.plusSeconds(5);
    other.rotateKeys();
    String newToken = other.issueUser("user:2").token();
    assertThat(other.verify(oldToken).subject()).isEqualTo("user:1");
    assertThat(tokens.verify(newToken).subject()).isEqualTo("user:2");
  }

  @Test
  void rotateKeys_elsewhere_isUsedForTheNextTokenHere() throws Exception {
    String before = tokens.issueUser("user:1").token();
    open().rotateKeys();
    String after = tokens.issueUser("user:1").token();
    assertThat(keyOf(after)).isNotEqualTo(keyOf(before));
  }

  @Test
  void verify_unknownKeyRepeatedly_findsNewKeyImmediately() {
    assertThatThrownBy(() -> tokens.verify(tokenOfAnotherInstallation()))
        .isInstanceOf(Failure.class);
    TokenService other = open();
    other.rotateKeys();
    assertThat(tokens.verify(other.issueUser("user:2").token()).subject()).isEqualTo("user:2");
  }

  @Test
  void rotateKeys_manyAtOnce_losesNoKey() throws Exception {
    var threads =
        java.util.stream.IntStream.range(0, 8)
            .mapToObj(_ -> Thread.ofVirtual().start(() -> open().rotateKeys()))
            .toList();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(SigningKeys.open(file(), () -> now).size()).isEqualTo(9);
  }

  @Test
  void issue_keyFileMissing_continuesWithTheLoadedKey() throws Exception {
    Files.delete(file());
    assertThat(tokens.verify(tokens.issueUser("user:1").token()).subject()).isEqualTo("user:1");
  }

  @Test
  void rotateKeys_longAfterwards_dropsKeysThatSignedNothingAlive() {
    SigningKeys keys = SigningKeys.open(file(), () -> now);
    keys.rotate(() -> now, Duration.ofDays(1));
    assertThat(keys.size()).isEqualTo(2);
    now = now.plus(Duration.ofHours(25));
    keys.rotate(() -> now, Duration.ofDays(1));
    assertThat(keys.size()).isEqualTo(2);
    assertThat(SigningKeys.open(file(), () -> now).size()).isEqualTo(2);
  }

  @Test
  void open_manyAtOnce_agreeOnOneKey(@TempDir Path fresh) throws Exception {
    Path file = fresh.resolve("keys").resolve("tokens.jwks");
    var ids = java.util.concurrent.ConcurrentHashMap.<String>newKeySet();
    var threads =
        java.util.stream.IntStream.range(0, 8)
            .mapToObj(
                _ ->
                    Thread.ofVirtual()
                        .start(
                            () -> ids.add(SigningKeys.open(file, () -> now).current().getKeyID())))
            .toList();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(ids).hasSize(1);
  }

  private void assertRefused(String token) {
    assertThatThrownBy(() -> tokens.verify(token))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.kind()).isEqualTo(Failure.Kind.UNAUTHENTICATED));
  }

  private static String encode(String json) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(json.getBytes(StandardCharsets.UTF_8));
  }
}
