package dev.torg.notifications.push;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;

/// The JSON key of a service account of Google.
record ServiceAccount(String projectId, String email, String tokenUri, PrivateKey key) {
  /// @throws IllegalArgumentException if the file is none
  static ServiceAccount read(Path file) {
    try {
      JsonNode json = new ObjectMapper().readTree(Files.readAllBytes(file));
      return new ServiceAccount(
          text(json, "project_id"),
          text(json, "client_email"),
          text(json, "token_uri"),
          key(text(json, "private_key")));
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalArgumentException("not the key of a service account", e);
    }
  }

  private static String text(JsonNode json, String name) {
    String value = json.path(name).asText();
    if (value.isEmpty()) {
      throw new IllegalArgumentException("the key of the service account has no " + name);
    }
    return value;
  }

  private static PrivateKey key(String pem) throws GeneralSecurityException {
    String base64 = pem.replaceAll("-----[^-]+-----|\\s", "");
    return KeyFactory.getInstance("RSA")
        .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64)));
  }

  @Override
  public String toString() {
    return "ServiceAccount[" + projectId + "]";
  }
}
