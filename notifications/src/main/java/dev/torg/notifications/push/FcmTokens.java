package dev.torg.notifications.push;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.torg.notifications.http.DeliveryHttpClient;
import dev.torg.notifications.http.HttpCallResult;
import dev.torg.notifications.http.HttpCallResult.Answered;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The access token for FCM: obtained with an assertion that the service account signs (RFC 7523), and used until shortly
/// before it expires. One thread obtains it, the others wait.
final class FcmTokens {
  private static final String SCOPE = "https://www.googleapis.com/auth/firebase.messaging";
  private static final String GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
  private static final Duration ASSERTION_LIFETIME = Duration.ofMinutes(10);
  private static final Duration EXPIRY_MARGIN = Duration.ofMinutes(2);

  /// After a failure no other attempt is made for this long.
  private static final Duration FAILURE_DELAY = Duration.ofSeconds(1);

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final ServiceAccount account;
  private final DeliveryHttpClient http;
  private final InstantSource clock;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable Token current;
  private volatile Instant retryAt = Instant.MIN;

  private record Token(String value, Instant until) {}

  FcmTokens(ServiceAccount account, DeliveryHttpClient http, InstantSource clock) {
    this.account = account;
    this.http = http;
    this.clock = clock;
  }

  /// Empty if none can be obtained at present.
  Optional<String> token() {
    Optional<String> valid = valid();
    return valid.isPresent() ? valid : obtained();
  }

  /// FCM does not accept the token any more.
  void invalidate(String token) {
    Token held = current;
    if (held != null && held.value.equals(token)) {
      current = null;
    }
  }

  private Optional<String> valid() {
    Token held = current;
    return held != null && clock.instant().isBefore(held.until)
        ? Optional.of(held.value)
        : Optional.empty();
  }

  private Optional<String> obtained() {
    lock.lock();
    try {
      Optional<String> valid = valid();
      if (valid.isPresent() || clock.instant().isBefore(retryAt)) {
        return valid;
      }
      Optional<Token> token = parsed(http.call(request()));
      current = token.orElse(null);
      retryAt = token.isPresent() ? Instant.MIN : clock.instant().plus(FAILURE_DELAY);
      return token.map(Token::value);
    } finally {
      lock.unlock();
    }
  }

  private Optional<Token> parsed(HttpCallResult result) {
    if (!(result instanceof Answered answer) || !answer.isSuccess()) {
      return Optional.empty();
    }
    try {
      JsonNode json = MAPPER.readTree(answer.body());
      String value = json.path("access_token").asText();
      Duration lifetime = Duration.ofSeconds(json.path("expires_in").asLong());
      return value.isEmpty()
          ? Optional.empty()
          : Optional.of(new Token(value, clock.instant().plus(lifetime).minus(EXPIRY_MARGIN)));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  private HttpRequest request() {
    String form =
        "grant_type="
            + URLEncoder.encode(GRANT, StandardCharsets.UTF_8)
            + "&assertion="
            + assertion();
    RequestHeaders headers =
        RequestHeaders.builder(HttpMethod.POST, account.tokenUri())
            .contentType(MediaType.FORM_DATA)
            .build();
    return HttpRequest.of(headers, HttpData.ofUtf8(form));
  }

  private String assertion() {
    Instant now = clock.instant();
    SignedJWT assertion =
        new SignedJWT(
            new JWSHeader(JWSAlgorithm.RS256),
            new JWTClaimsSet.Builder()
                .issuer(account.email())
                .audience(account.tokenUri())
                .claim("scope", SCOPE)
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plus(ASSERTION_LIFETIME)))
                .build());
    try {
      assertion.sign(new RSASSASigner(account.key()));
    } catch (JOSEException e) {
      throw new IllegalStateException("cannot sign with the service account's key", e);
    }
    return assertion.serialize();
  }
}
