package dev.torg.server.run;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Optional;
import java.util.Properties;

/// What a running Torg says of itself in its data directory (`running`), for `torg status` and its siblings. After a
/// kill the note stays behind, and its process number may belong to something else by then; so readers check that the
/// directory is held.
public record RunningTorg(long pid, String address, String database, String kafka, Instant since) {
  private static final String FILE = "running";

  public void write(Path data) {
    Properties note = new Properties();
    note.setProperty("pid", Long.toString(pid));
    note.setProperty("address", address);
    note.setProperty("database", database);
    note.setProperty("kafka", kafka);
    note.setProperty("since", since.toString());
    try {
      StringWriter text = new StringWriter();
      note.store(text, null);
      Path fresh = Files.writeString(data.resolve(FILE + ".new"), text.toString());
      Files.move(
          fresh,
          data.resolve(FILE),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The Torg that runs on this directory, if one does.
  public static Optional<RunningTorg> read(Path data) {
    try {
      Properties note = new Properties();
      note.load(new StringReader(Files.readString(data.resolve(FILE))));
      return Optional.of(of(note))
          .filter(RunningTorg::isAlive)
          .filter(_ -> DataDirectory.isHeld(data));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void forget(Path data) throws IOException {
    Files.deleteIfExists(data.resolve(FILE));
  }

  private static RunningTorg of(Properties note) {
    return new RunningTorg(
        Long.parseLong(note.getProperty("pid")),
        note.getProperty("address"),
        note.getProperty("database"),
        note.getProperty("kafka"),
        Instant.parse(note.getProperty("since")));
  }

  private boolean isAlive() {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }
}
