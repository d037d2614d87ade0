package dev.torg.embedded;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The one user of the embedded broker and its password, which clients and the broker itself present on every
/// connection (SASL/PLAIN, which is enough on loopback).
///
/// It is stored in the broker's directory as a client's properties, mode 0600, so that Kafka's own tools can
/// use it:
/// `kafka-topics.sh --command-config …/client.properties`.
record BrokerLogin(String password) {
  static final String FILE = "client.properties";

  private static final String USER = "torg";
  private static final String MODULE = "org.apache.kafka.common.security.plain.PlainLoginModule";
  private static final String JAAS = "sasl.jaas.config";
  private static final Pattern PASSWORD = Pattern.compile("password=\"([0-9a-f]+)\"");

  /// The login of the directory; created if there is none yet.
  static BrokerLogin of(Path directory) throws IOException {
    Optional<BrokerLogin> existing = read(directory);
    if (existing.isPresent()) {
      return existing.get();
    }
    BrokerLogin created = new BrokerLogin(Secrets.random());
    Secrets.write(directory.resolve(FILE), created.text());
    return created;
  }

  static Optional<BrokerLogin> read(Path directory) throws IOException {
    try {
      Properties properties = new Properties();
      properties.load(new StringReader(Files.readString(directory.resolve(FILE))));
      Matcher password = PASSWORD.matcher(properties.getProperty(JAAS, ""));
      return Optional.of(password)
          .filter(Matcher::find)
          .map(match -> match.group(1))
          .filter(Secrets::isOne)
          .map(BrokerLogin::new);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  Map<String, String> clientSettings() {
    return Map.of(
        "security.protocol", "SASL_PLAINTEXT", "sasl.mechanism", "PLAIN", JAAS, module(""));
  }

  /// The login module of a listener: the user that it accepts, and the broker's own login to it.
  String serverModule() {
    return module(" user_%s=\"%s\"".formatted(USER, password));
  }

  private String module(String more) {
    return "%s required username=\"%s\" password=\"%s\"%s;".formatted(MODULE, USER, password, more);
  }

  private String text() {
    return new TreeMap<>(clientSettings())
        .entrySet().stream()
            .map(setting -> setting.getKey() + "=" + setting.getValue() + "\n")
            .collect(Collectors.joining());
  }

  @Override
  public String toString() {
    return "BrokerLogin";
  }
}
