package dev.torg.platform.identity;

import com.nimbusds.jose.jwk.OctetSequenceKey;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Recognizes texts that this installation created, such as the content of a link in a mail: HMAC-SHA256, cut to 128
/// bits, with keys derived from the [signing keys][SigningKeys].
///
/// A code states the key, so it stays valid when keys are rotated: for at least 400 days after its key was replaced. A
/// code is bound to a purpose: one for links is no proof of anything else.
public final class MessageAuthenticator {
  private static final String ALGORITHM = "HmacSHA256";

  /// Of the key's id, in a code.
  private static final int ID_CHARS = 8;

  private static final int CODE_BYTES = 16;

  private final SigningKeys keys;

  public MessageAuthenticator(SigningKeys keys) {
    this.keys = keys;
  }

  /// The code of a text: `3f2a9c01.` and 22 characters, safe in an address.
  public String code(String purpose, String text) {
    return code(keys.currentDerived(), purpose, text);
  }

  /// Whether the code is that of the text for this purpose. Takes the same time wherever they differ.
  public boolean isValid(String purpose, String text, String code) {
    int dot = code.indexOf('.');
    if (dot != ID_CHARS) {
      return false;
    }
    byte[] given = code.getBytes(StandardCharsets.UTF_8);
    return keys.findDerived(code.substring(0, dot)).stream()
        .map(key -> code(key, purpose, text).getBytes(StandardCharsets.UTF_8))
        .anyMatch(expected -> MessageDigest.isEqual(expected, given));
  }

  /// Secrets of this installation for a purpose, 32 bytes each. The first one is to be used; the others were used before
  /// the signing keys were rotated.
  public List<byte[]> secrets(String purpose) {
    return keys.allDerived().stream().map(key -> hmac(key, purpose)).toList();
  }

  private static String code(OctetSequenceKey key, String purpose, String text) {
    byte[] code = Arrays.copyOf(hmac(key, purpose + '\0' + text), CODE_BYTES);
    return key.getKeyID().substring(0, ID_CHARS)
        + '.'
        + Base64.getUrlEncoder().withoutPadding().encodeToString(code);
  }

  private static byte[] hmac(OctetSequenceKey key, String text) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key.toByteArray(), ALGORITHM));
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }
}
