package dev.torg.server.run;

import dev.torg.embedded.EmbeddedKafka;
import dev.torg.embedded.EmbeddedPostgres;
import dev.torg.embedded.PrivateDirectory;
import dev.torg.platform.kafka.KafkaCluster;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/// The description of a running Torg in its data directory (`running`), for `torg status` and
/// similar commands. After a kill the file remains, and its process number may belong to another
/// process by then; so readers check that the directory is held.
///
/// - `database`: its address with all parameters. The file holds none of them: for an embedded
///   database user and password are read from that database's own file.
/// - `embedded`: whether PostgreSQL and Kafka are those of the data directory.
public record RunningInstance(
    long pid, String address, String database, String kafka, boolean embedded, Instant since) {
  private static final String FILE = "running";

  /// For external servers.
  public RunningInstance(long pid, String address, String database, String kafka, Instant since) {
    this(pid, address, database, kafka, false, since);
  }

  /// Its Kafka, for a client of the same user.
  public KafkaCluster kafka(Path data) {
    return new KafkaCluster(
        kafka,
        "",
        embedded ? EmbeddedKafka.clientSettings(data.resolve(Backends.KAFKA)) : Map.of());
  }

  /// The database's address in psql's format, without the password.
  public String describedDatabase() {
    return DatabaseAddress.forDisplay(database);
  }

  public void write(Path data) {
    Properties note = new Properties();
    note.setProperty("pid", Long.toString(pid));
    note.setProperty("address", address);
    note.setProperty("database", DatabaseAddress.withoutParameters(database));
    note.setProperty("kafka", kafka);
    note.setProperty("embedded", Boolean.toString(embedded));
    note.setProperty("since", since.toString());
    try {
      StringWriter text = new StringWriter();
      note.store(text, null);
      Path temporary = data.resolve(FILE + ".new");
      Files.deleteIfExists(temporary);
      Files.createFile(temporary, PrivateDirectory.fileMode());
      Files.writeString(temporary, text.toString());
      Files.move(
          temporary,
          data.resolve(FILE),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The instance that runs on this directory, if any.
  public static Optional<RunningInstance> read(Path data) {
    try {
      Properties note = new Properties();
      note.load(new StringReader(Files.readString(data.resolve(FILE))));
      return Optional.of(of(note, data))
          .filter(RunningInstance::isAlive)
          .filter(_ -> DataDirectory.isHeld(data));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void delete(Path data) throws IOException {
    Files.deleteIfExists(data.resolve(FILE));
  }

  private static RunningInstance of(Properties note, Path data) {
    boolean embedded = Boolean.parseBoolean(note.getProperty("embedded"));
    String database = note.getProperty("database");
    return new RunningInstance(
        Long.parseLong(note.getProperty("pid")),
        note.getProperty("address"),
        embedded ? withPassword(database, data) : database,
        note.getProperty("kafka"),
        embedded,
        Instant.parse(note.getProperty("since")));
  }

  private static String withPassword(String database, Path data) {
    return EmbeddedPostgres.parameters(data.resolve(Backends.POSTGRES))
        .map(parameters -> database + "?" + parameters)
        .orElse(database);
  }

  private boolean isAlive() {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  @Override
  public String toString() {
    return "process %d at %s on %s".formatted(pid, address, describedDatabase());
  }
}
