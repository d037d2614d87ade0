package dev.torg.notifications.push;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// What a browser does with a push: RFC 8291, written independently of the sender's code.
final class WebPushDecryption {
  private WebPushDecryption() {}

  static byte[] decrypt(byte[] message, byte[] privateKey, byte[] publicKey, byte[] auth)
      throws GeneralSecurityException {
    ByteBuffer in = ByteBuffer.wrap(message);
    byte[] salt = new byte[16];
    in.get(salt);
    int recordSize = in.getInt();
    byte[] sender = new byte[in.get()];
    in.get(sender);
    byte[] record = new byte[in.remaining()];
    in.get(record);
    if (record.length > recordSize) {
      throw new GeneralSecurityException("more than one record");
    }
    KeyAgreement agreement = KeyAgreement.getInstance("ECDH");
    agreement.init(P256.privateKey(privateKey));
    agreement.doPhase(P256.publicKey(sender), true);
    byte[] prk = hmac(auth, agreement.generateSecret());
    ByteBuffer info = ByteBuffer.allocate(14 + 65 + 65 + 1);
    info.put("WebPush: info\0".getBytes()).put(publicKey).put(sender).put((byte) 1);
    byte[] ikm = hmac(prk, info.array());
    byte[] key = hmac(hmac(salt, ikm), "Content-Encoding: aes128gcm\0\1".getBytes());
    byte[] nonce = hmac(hmac(salt, ikm), "Content-Encoding: nonce\0\1".getBytes());
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(
        Cipher.DECRYPT_MODE,
        new SecretKeySpec(Arrays.copyOf(key, 16), "AES"),
        new GCMParameterSpec(128, Arrays.copyOf(nonce, 12)));
    byte[] padded = cipher.doFinal(record);
    if (padded[padded.length - 1] != 2) {
      throw new GeneralSecurityException("not the last record");
    }
    return Arrays.copyOf(padded, padded.length - 1);
  }

  private static byte[] hmac(byte[] key, byte[] data) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(data);
  }
}
