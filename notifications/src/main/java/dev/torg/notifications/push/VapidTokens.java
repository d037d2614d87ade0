package dev.torg.notifications.push;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.torg.notifications.SenderSettings.Vapid;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.security.interfaces.ECPrivateKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Date;

/// The value of `Authorization` for each push service (RFC 8292), signed once and reused.
final class VapidTokens {
  /// At most 24 hours are allowed; clocks differ.
  private static final Duration LIFETIME = Duration.ofHours(12);

  private static final Duration REUSE = Duration.ofHours(6);

  private final Vapid vapid;
  private final JWSSigner signer;
  private final InstantSource clock;
  private final Cache<String, String> byOrigin =
      Caffeine.newBuilder().maximumSize(1_000).expireAfterWrite(REUSE).build();

  VapidTokens(Vapid vapid, InstantSource clock) {
    this.vapid = vapid;
    this.clock = clock;
    try {
      this.signer = new ECDSASigner(privateKey(vapid), Curve.P_256);
    } catch (GeneralSecurityException | JOSEException e) {
      throw new IllegalArgumentException("no VAPID key", e);
    }
  }

  /// Fails unless both keys are valid and belong together.
  static void check(Vapid vapid) {
    try {
      Signature signature = Signature.getInstance("SHA256withECDSA");
      byte[] data = {1, 2, 3};
      signature.initSign(privateKey(vapid));
      signature.update(data);
      byte[] signed = signature.sign();
      signature.initVerify(P256.publicKey(decode(vapid.publicKey())));
      signature.update(data);
      if (!signature.verify(signed)) {
        throw new IllegalArgumentException("the keys do not belong together");
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("no keys of P-256", e);
    }
  }

  private static ECPrivateKey privateKey(Vapid vapid) throws GeneralSecurityException {
    return P256.privateKey(decode(vapid.privateKey()));
  }

  private static byte[] decode(String base64) {
    return Base64.getUrlDecoder().decode(base64);
  }

  /// @param origin of the subscription's endpoint: `https://push.example`
  String authorization(String origin) {
    return byOrigin.get(origin, this::sign);
  }

  private String sign(String origin) {
    SignedJWT token =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.ES256).type(JOSEObjectType.JWT).build(),
            new JWTClaimsSet.Builder()
                .audience(origin)
                .expirationTime(Date.from(clock.instant().plus(LIFETIME)))
                .subject(vapid.subject())
                .build());
    try {
      token.sign(signer);
    } catch (JOSEException e) {
      throw new IllegalStateException("cannot sign with the VAPID key", e);
    }
    return "vapid t=" + token.serialize() + ", k=" + vapid.publicKey();
  }
}
