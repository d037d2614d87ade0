package dev.torg.notifications.push;

import dev.torg.notifications.SenderSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Keys and settings for tests of pushes.
final class PushTestKeys {
  private PushTestKeys() {}

  static KeyPair ecKeys() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    return generator.generateKeyPair();
  }

  static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  static byte[] rawPrivate(KeyPair keys) {
    byte[] number = ((ECPrivateKey) keys.getPrivate()).getS().toByteArray();
    byte[] raw = new byte[32];
    int length = Math.min(32, number.length);
    System.arraycopy(number, number.length - length, raw, 32 - length, length);
    return raw;
  }

  static byte[] rawPublic(KeyPair keys) {
    return P256.encoded((ECPublicKey) keys.getPublic());
  }

  static SenderSettings.Vapid vapid(KeyPair keys) {
    return new SenderSettings.Vapid(
        base64(rawPublic(keys)), base64(rawPrivate(keys)), "mailto:ops@torg.example");
  }

  static Path pem(Path directory, KeyPair keys) throws IOException {
    return Files.writeString(
        directory.resolve("key.p8"),
        "-----BEGIN PRIVATE KEY-----\n"
            + Base64.getMimeEncoder().encodeToString(keys.getPrivate().getEncoded())
            + "\n-----END PRIVATE KEY-----\n");
  }

  /// The JSON key of a service account.
  static Path serviceAccount(Path directory, KeyPair keys, String tokenUri) throws IOException {
    String pem =
        "-----BEGIN PRIVATE KEY-----\n"
            + Base64.getMimeEncoder(64, new byte[] {'\n'})
                .encodeToString(keys.getPrivate().getEncoded())
            + "\n-----END PRIVATE KEY-----\n";
    Map<String, String> json =
        Map.of(
            "type", "service_account",
            "project_id", "torg-test",
            "client_email", "push@torg-test.example",
            "token_uri", tokenUri,
            "private_key", pem);
    return Files.write(
        directory.resolve("account.json"),
        new com.fasterxml.jackson.databind.ObjectMapper().writeValueAsBytes(json));
  }

  static SenderSettings settings(
      Optional<SenderSettings.Vapid> vapid,
      Optional<SenderSettings.Apns> apns,
      Optional<SenderSettings.Fcm> fcm) {
    SenderSettings none = SenderSettings.none();
    return new SenderSettings(
        none.smtp(),
        none.mailFrom(),
        none.publicUrl(),
        Set.of("127.0.0.1"),
        vapid,
        apns,
        fcm,
        none.smsGateway(),
        false);
  }

  static SenderSettings.Fcm fcm(String url, Path credentials) {
    return new SenderSettings.Fcm(URI.create(url), credentials);
  }
}
