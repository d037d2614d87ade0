package dev.torg.notifications.push;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.interfaces.ECPublicKey;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// Encrypts a push for a browser: content coding aes128gcm (RFC 8188) in one record, with keys from ECDH on P-256 and the
/// subscription's secret (RFC 8291).
///
/// The shared secret of an ephemeral key of ours and the browser's key is mixed with the subscription's secret; from the
/// result and a random salt follow the key and the nonce of AES-GCM. HKDF is two rounds of HMAC here, because each
/// derived value is no longer than one block. The header consists of the salt, the size of a record and our public key.
final class WebPushEncryption {
  /// The most that push services have to accept (RFC 8030), less header, tag and delimiter.
  static final int MAX_PLAINTEXT = 4096 - 86 - 16 - 1;

  private static final int RECORD_BYTES = 4096;
  private static final int SALT_BYTES = 16;
  private static final int KEY_BYTES = 16;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final byte LAST_RECORD = 2;
  private static final String HMAC = "HmacSHA256";
  private static final byte[] KEY_INFO = ascii("WebPush: info\0");
  private static final byte[] CONTENT_KEY = ascii("Content-Encoding: aes128gcm\0");
  private static final byte[] NONCE = ascii("Content-Encoding: nonce\0");

  private final SecureRandom random = new SecureRandom();

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /// @param publicKey `p256dh` of the subscription
  /// @param authSecret `auth` of the subscription
  byte[] encrypt(byte[] plaintext, byte[] publicKey, byte[] authSecret)
      throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(P256.CURVE, random);
    byte[] salt = new byte[SALT_BYTES];
    random.nextBytes(salt);
    return encrypt(plaintext, publicKey, authSecret, generator.generateKeyPair(), salt);
  }

  static byte[] encrypt(
      byte[] plaintext, byte[] publicKey, byte[] authSecret, KeyPair sender, byte[] salt)
      throws GeneralSecurityException {
    byte[] senderPublic = P256.encoded((ECPublicKey) sender.getPublic());
    KeyAgreement agreement = KeyAgreement.getInstance("ECDH");
    agreement.init(sender.getPrivate());
    agreement.doPhase(P256.publicKey(publicKey), true);
    byte[] secret =
        hmac(
            hmac(authSecret, agreement.generateSecret()),
            concat(KEY_INFO, publicKey, senderPublic, new byte[] {1}));
    byte[] pseudorandom = hmac(salt, secret);
    byte[] key = Arrays.copyOf(hmac(pseudorandom, concat(CONTENT_KEY, new byte[] {1})), KEY_BYTES);
    byte[] nonce = Arrays.copyOf(hmac(pseudorandom, concat(NONCE, new byte[] {1})), NONCE_BYTES);
    byte[] record = aesGcm(key, nonce, concat(plaintext, new byte[] {LAST_RECORD}));
    return concat(header(salt, senderPublic), record);
  }

  private static byte[] header(byte[] salt, byte[] senderPublic) {
    return ByteBuffer.allocate(salt.length + Integer.BYTES + 1 + senderPublic.length)
        .put(salt)
        .putInt(RECORD_BYTES)
        .put((byte) senderPublic.length)
        .put(senderPublic)
        .array();
  }

  private static byte[] aesGcm(byte[] key, byte[] nonce, byte[] plaintext)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(
        Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
    return cipher.doFinal(plaintext);
  }

  private static byte[] hmac(byte[] key, byte[] data) throws GeneralSecurityException {
    Mac mac = Mac.getInstance(HMAC);
    mac.init(new SecretKeySpec(key, HMAC));
    return mac.doFinal(data);
  }

  private static byte[] concat(byte[]... parts) {
    int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
    ByteBuffer all = ByteBuffer.allocate(length);
    Arrays.stream(parts).forEach(all::put);
    return all.array();
  }
}
