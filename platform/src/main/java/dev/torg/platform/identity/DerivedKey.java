package dev.torg.platform.identity;

import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Date;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;

/// Derives the key of [MessageAuthenticator] from a signing key, with HKDF-SHA256. Processes with the same signing keys
/// derive the same keys, so there is nothing more to store or to distribute.
final class DerivedKey {
  private static final byte[] INFO =
      "torg message authentication".getBytes(StandardCharsets.US_ASCII);

  private static final int BYTES = 32;

  private DerivedKey() {}

  static OctetSequenceKey of(ECKey signingKey, Instant issuedAt) {
    return new OctetSequenceKey.Builder(derive(signingKey.getD().decode()))
        .keyID(signingKey.getKeyID())
        .issueTime(Date.from(issuedAt))
        .build();
  }

  private static byte[] derive(byte[] secret) {
    try {
      SecretKey key =
          KDF.getInstance("HKDF-SHA256")
              .deriveKey(
                  "HmacSHA256",
                  HKDFParameterSpec.ofExtract().addIKM(secret).thenExpand(INFO, BYTES));
      return key.getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HKDF-SHA256", e);
    }
  }
}
