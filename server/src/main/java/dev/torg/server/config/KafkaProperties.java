package dev.torg.server.config;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;

/// How clients log in to an external Kafka cluster, in a file in the format of Kafka's own tools.
/// It holds passwords, which therefore are on no command line.
final class KafkaProperties {
  private KafkaProperties() {}

  static Map<String, String> of(SettingReader read, boolean externalKafka) {
    Optional<Path> file = read.file(Setting.KAFKA_PROPERTIES);
    if (file.isPresent() && !externalKafka) {
      throw SettingReader.invalid(
          Setting.KAFKA_PROPERTIES, "has no meaning without kafka, the given cluster");
    }
    return file.map(KafkaProperties::load).orElse(Map.of());
  }

  private static Map<String, String> load(Path file) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      properties.load(reader);
    } catch (IOException e) {
      throw SettingReader.invalid(
          Setting.KAFKA_PROPERTIES, "cannot read %s: %s".formatted(file, e.getMessage()));
    }
    Map<String, String> settings = new TreeMap<>();
    for (String name : properties.stringPropertyNames()) {
      if (!isOfSecurity(name)) {
        throw SettingReader.invalid(
            Setting.KAFKA_PROPERTIES,
            "may hold security.protocol, sasl.* and ssl.* only, not %s".formatted(name));
      }
      settings.put(name, properties.getProperty(name));
    }
    return Map.copyOf(settings);
  }

  /// Other properties would change what Torg relies on, such as acknowledgements and transactions.
  private static boolean isOfSecurity(String name) {
    return name.equals("security.protocol") || name.startsWith("sasl.") || name.startsWith("ssl.");
  }
}
