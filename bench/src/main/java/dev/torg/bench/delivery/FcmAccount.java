package dev.torg.bench.delivery;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.torg.bench.process.ApiClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/// The JSON key of a service account for the local Firebase, as Google issues them.
public final class FcmAccount {
  private static final int KEY_BITS = 2048;
  private static final int PEM_LINE_LENGTH = 64;

  private FcmAccount() {}

  public static Path write(Path file, FcmServer fcm) throws IOException {
    ObjectNode account = ApiClient.JSON.createObjectNode();
    account
        .put("type", "service_account")
        .put("project_id", FcmServer.PROJECT)
        .put("client_email", "push@torg-verify.example")
        .put("token_uri", fcm.url() + "/token")
        .put("private_key", privateKey());
    return Files.writeString(file, account.toString());
  }

  private static String privateKey() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(KEY_BITS);
      byte[] key = generator.generateKeyPair().getPrivate().getEncoded();
      Base64.Encoder lines =
          Base64.getMimeEncoder(PEM_LINE_LENGTH, "\n".getBytes(StandardCharsets.US_ASCII));
      return "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n"
          .formatted(lines.encodeToString(key));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has RSA", e);
    }
  }
}
