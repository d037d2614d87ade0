package dev.torg.notifications.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// A certificate of `localhost` that signs itself, created with the JDK's keytool.
public record TestCertificate(X509Certificate certificate, PrivateKey privateKey, Path pem) {
  private static final String PASSWORD = "password";

  public static TestCertificate create(Path directory) throws Exception {
    Path store = directory.resolve("localhost.p12");
    if (!Files.exists(store)) {
      generate(store);
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    X509Certificate certificate = (X509Certificate) keys.getCertificate("localhost");
    PrivateKey key = (PrivateKey) keys.getKey("localhost", PASSWORD.toCharArray());
    Path pem =
        Files.writeString(
            directory.resolve("localhost.pem"),
            "-----BEGIN CERTIFICATE-----\n"
                + Base64.getMimeEncoder().encodeToString(certificate.getEncoded())
                + "\n-----END CERTIFICATE-----\n");
    return new TestCertificate(certificate, key, pem);
  }

  /// For a server with the certificate and for a client that trusts it alone.
  public SSLContext context() throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    keys.setKeyEntry(
        "localhost", privateKey, PASSWORD.toCharArray(), new X509Certificate[] {certificate});
    keys.setCertificateEntry("trusted", certificate);
    KeyManagerFactory keyManagers = KeyManagerFactory.getInstance("PKIX");
    keyManagers.init(keys, PASSWORD.toCharArray());
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(keys);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keyManagers.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  private static void generate(Path store) throws IOException, InterruptedException {
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "localhost",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                store.toString())
            .inheritIO()
            .start();
    if (keytool.waitFor() != 0) {
      throw new IllegalStateException("keytool failed");
    }
  }
}
