package dev.torg.embedded;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import kafka.server.KafkaConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.metadata.storage.Formatter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One Kafka broker that is its own controller, inside this process, on loopback only. Clients
/// authenticate with a password that is stored in the directory ([BrokerLogin]).
///
/// Every record is forced to disk before it is acknowledged, so a power cut or `kill -9` loses
/// nothing acknowledged: the next start on the same directory recovers the logs. The ports may
/// differ from one start to the next; clients use [#bootstrapServers].
public final class EmbeddedKafka implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedKafka.class);

  /// A free port may be taken by another process before the broker binds it.
  private static final int ATTEMPTS = 3;

  private static final int NODE = 1;
  private static final String FORMATTED = "meta.properties";

  private final SingleNode server;
  private final int port;
  private final boolean temporary;
  private final Path directory;
  private final Optional<BrokerLogin> login;

  private EmbeddedKafka(
      SingleNode server, int port, Path directory, boolean temporary, Optional<BrokerLogin> login) {
    this.server = server;
    this.port = port;
    this.directory = directory;
    this.temporary = temporary;
    this.login = login;
  }

  /// A broker for tests. Its data is deleted when it is closed and it requires no password, like an external
  /// cluster in the tests.
  public static EmbeddedKafka temporary() {
    try {
      return start(Files.createTempDirectory("torg-kafka"), 0, true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static EmbeddedKafka start(Path directory) {
    return start(directory, 0, false);
  }

  /// Starts on the given port, or on a free one when it is 0, with the data of the directory.
  public static EmbeddedKafka start(Path directory, int port) {
    return start(directory, port, false);
  }

  public String bootstrapServers() {
    return "127.0.0.1:" + port;
  }

  public int port() {
    return port;
  }

  /// The client settings that are needed in addition to the address.
  public Map<String, String> clientSettings() {
    return login.map(BrokerLogin::clientSettings).orElse(Map.of());
  }

  /// The same for the broker of a directory, perhaps in another process of the same user; empty where no
  /// password is required.
  public static Map<String, String> clientSettings(Path directory) {
    try {
      return BrokerLogin.read(directory).map(BrokerLogin::clientSettings).orElse(Map.of());
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot read the password of Kafka in " + directory + ": " + e.getMessage(), e);
    }
  }

  /// The file with these settings.
  public static Path clientSettingsFile(Path directory) {
    return directory.resolve(BrokerLogin.FILE);
  }

  /// Stops in order, so the next start needs no recovery. Closing twice is harmless.
  @Override
  public void close() {
    server.stop();
    if (temporary) {
      deleteData();
    }
  }

  private void deleteData() {
    try {
      Directories.delete(directory);
    } catch (IOException e) {
      LOG.warn("cannot remove {}", directory, e);
    }
  }

  private static EmbeddedKafka start(Path directory, int port, boolean temporary) {
    format(directory);
    Optional<BrokerLogin> login = temporary ? Optional.empty() : Optional.of(login(directory));
    for (int attempt = 1; ; attempt++) {
      List<Integer> free = freePorts(2);
      int clientPort = port == 0 ? free.getFirst() : port;
      try {
        return new EmbeddedKafka(
            launch(directory, clientPort, free.getLast(), login),
            clientPort,
            directory,
            temporary,
            login);
      } catch (KafkaException e) {
        if (attempt == ATTEMPTS) {
          throw new IllegalStateException(
              "Kafka did not start on %s, port %d: %s"
                  .formatted(directory, clientPort, e.getMessage()),
              e);
        }
        LOG.info("Kafka did not start, trying other ports: {}", e.getMessage());
      }
    }
  }

  private static BrokerLogin login(Path directory) {
    try {
      return BrokerLogin.of(directory);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot keep Kafka's password in " + directory, e);
    }
  }

  private static SingleNode launch(
      Path directory, int port, int controllerPort, Optional<BrokerLogin> login) {
    KafkaConfig config =
        KafkaConfig.fromProps(
            BrokerSettings.of(NODE, directory, port, controllerPort, login), false);
    SingleNode server = new SingleNode(config);
    try {
      server.start();
      return server;
    } catch (RuntimeException e) {
      server.stop();
      throw e;
    }
  }

  /// The marker file is written last, so an interrupted format is repeated.
  private static void format(Path directory) {
    try {
      PrivateDirectory.ensure(directory);
      if (Files.exists(directory.resolve(FORMATTED))) {
        return;
      }
      new Formatter()
          .setNodeId(NODE)
          .setClusterId(Uuid.randomUuid().toString())
          .addDirectory(directory.toString())
          .setMetadataLogDirectory(directory.toString())
          .setControllerListenerName(BrokerSettings.CONTROLLER)
          .setPrintStream(
              new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
          .run();
    } catch (Exception e) {
      throw new IllegalStateException(
          "cannot prepare Kafka's directory %s: %s".formatted(directory, e.getMessage()), e);
    }
  }

  /// All sockets stay open until the last port is known, so that the ports differ.
  private static List<Integer> freePorts(int count) {
    List<ServerSocket> sockets = Stream.generate(EmbeddedKafka::bind).limit(count).toList();
    List<Integer> ports = sockets.stream().map(ServerSocket::getLocalPort).toList();
    try {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ports;
  }

  private static ServerSocket bind() {
    try {
      return new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
