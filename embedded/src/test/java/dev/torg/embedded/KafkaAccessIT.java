package dev.torg.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What other users of the machine can do with the embedded Kafka.
class KafkaAccessIT {
  @TempDir Path directory;

  @Test
  void connect_withoutLogin_isRefused() {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(directory)) {
      Map<String, Object> open = Map.of("bootstrap.servers", kafka.bootstrapServers());
      assertThatThrownBy(() -> topics(open)).hasCauseInstanceOf(TimeoutException.class);
    }
  }

  @Test
  void connect_wrongPassword_isRefused() {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(directory)) {
      Map<String, Object> guess = EmbeddedKafkaIT.clientOf(kafka);
      guess.computeIfPresent(
          "sasl.jaas.config",
          (_, module) -> module.toString().replaceAll("password=\"[^\"]*\"", "password=\"guess\""));
      assertThatThrownBy(() -> topics(guess)).hasCauseInstanceOf(SaslAuthenticationException.class);
    }
  }

  /// A client that reaches the controller can create and delete topics as well.
  @Test
  void connectToTheController_withoutLogin_isRefused() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(directory)) {
      List<Integer> ports = listening().stream().filter(port -> port != kafka.port()).toList();
      assertThat(controllers(kafka, ports))
          .as("reached with the login, among %s", ports)
          .hasSize(1);
      for (int port : ports) {
        Map<String, Object> open =
            Map.of(AdminClientConfig.BOOTSTRAP_CONTROLLERS_CONFIG, "127.0.0.1:" + port);
        assertThatThrownBy(() -> describe(open)).isInstanceOf(ExecutionException.class);
      }
    }
  }

  @Test
  void login_file_isForThisUserOnlyAndUsableByKafkasTools() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(directory)) {
      Path file = EmbeddedKafka.clientSettingsFile(directory);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
          .isEqualTo("rwx------");
      assertThat(OtherUser.canRead(file)).isFalse();
      assertThat(OtherUser.canRead(directory)).isFalse();
      Properties properties = new Properties();
      try (var reader = Files.newBufferedReader(file)) {
        properties.load(reader);
      }
      Map<String, Object> client = new HashMap<>();
      properties.forEach((name, value) -> client.put(name.toString(), value));
      assertThat(client).isEqualTo(EmbeddedKafka.clientSettings(directory));
      client.put("bootstrap.servers", kafka.bootstrapServers());
      topics(client);
    }
  }

  @Test
  void start_again_keepsThePassword() {
    EmbeddedKafka.start(directory).close();
    Map<String, String> first = EmbeddedKafka.clientSettings(directory);
    try (EmbeddedKafka kafka = EmbeddedKafka.start(directory)) {
      assertThat(kafka.clientSettings()).isEqualTo(first).isNotEmpty();
    }
  }

  /// A directory of the version before this one: no login, and the broker registered with an open listener.
  @Test
  void start_directoryWithoutLogin_keepsRecordsAndRequiresALogin() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(directory)) {
      EmbeddedKafkaIT.write(EmbeddedKafkaIT.clientOf(kafka), 0, 3);
    }
    Files.delete(EmbeddedKafka.clientSettingsFile(directory));
    try (EmbeddedKafka kafka = EmbeddedKafka.start(directory)) {
      assertThat(topics(EmbeddedKafkaIT.clientOf(kafka))).contains("letters");
      Map<String, Object> open = Map.of("bootstrap.servers", kafka.bootstrapServers());
      assertThatThrownBy(() -> topics(open)).isInstanceOf(ExecutionException.class);
    }
  }

  private static Stream<String> topics(Admin admin) throws Exception {
    return admin.listTopics().names().get().stream();
  }

  private static List<String> topics(Map<String, Object> client) throws Exception {
    try (Admin admin = Admin.create(impatient(client))) {
      return topics(admin).toList();
    }
  }

  private static String describe(Map<String, Object> client) throws Exception {
    try (Admin admin = Admin.create(impatient(client))) {
      return admin.describeCluster().clusterId().get();
    }
  }

  private static List<Integer> controllers(EmbeddedKafka kafka, List<Integer> ports) {
    return ports.stream().filter(port -> isController(kafka, port)).toList();
  }

  private static boolean isController(EmbeddedKafka kafka, int port) {
    Map<String, Object> client = new HashMap<>(kafka.clientSettings());
    client.put(AdminClientConfig.BOOTSTRAP_CONTROLLERS_CONFIG, "127.0.0.1:" + port);
    try {
      return !describe(client).isEmpty();
    } catch (Exception e) {
      return false;
    }
  }

  private static Map<String, Object> impatient(Map<String, Object> client) {
    Map<String, Object> all = new HashMap<>(client);
    all.put("request.timeout.ms", 3000);
    all.put("default.api.timeout.ms", 3000);
    return all;
  }

  /// The ports that this process listens on.
  private static List<Integer> listening() throws IOException {
    Pattern listening = Pattern.compile("\\s*\\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F:]+ 0A .*");
    List<String> own = inodes();
    try (Stream<String> lines =
        Stream.concat(
            Files.readAllLines(Path.of("/proc/self/net/tcp")).stream(),
            Files.readAllLines(Path.of("/proc/self/net/tcp6")).stream())) {
      return lines
          .filter(line -> own.contains(line.strip().split("\\s+")[9]))
          .map(listening::matcher)
          .filter(java.util.regex.Matcher::matches)
          .map(match -> Integer.parseInt(match.group(1), 16))
          .toList();
    }
  }

  private static List<String> inodes() throws IOException {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors.map(KafkaAccessIT::inode).filter(inode -> !inode.isEmpty()).toList();
    }
  }

  private static String inode(Path descriptor) {
    try {
      String target = Files.readSymbolicLink(descriptor).toString();
      return target.startsWith("socket:[") ? target.substring(8, target.length() - 1) : "";
    } catch (IOException e) {
      return "";
    }
  }
}
