package dev.torg.alerts.engine;

import dev.torg.matching.engine.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The snapshot of the engine on disk, with the offsets up to which the topic was applied. A snapshot
/// that is damaged or older than 3 days is ignored: the topic retains 7 days, which leaves a margin for a
/// slow start.
final class SnapshotFile {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotFile.class);
  private static final Duration MAX_AGE = Duration.ofDays(3);

  private final Path file;
  private final InstantSource clock;

  SnapshotFile(Path file, InstantSource clock) {
    this.file = file;
    this.clock = clock;
  }

  record StoredSnapshot(Engine engine, SnapshotOffsets offsets) {}

  Optional<StoredSnapshot> read() {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      Engine.Restored restored = Engine.restore(file, clock);
      SnapshotOffsets offsets = SnapshotOffsets.parse(restored.header());
      if (offsets.at().isBefore(clock.instant().minus(MAX_AGE))) {
        LOG.info("the snapshot of {} is too old", offsets.at());
        restored.engine().close();
        return Optional.empty();
      }
      return Optional.of(new StoredSnapshot(restored.engine(), offsets));
    } catch (IOException | RuntimeException e) {
      LOG.warn("the snapshot of searches cannot be used: {}", e.toString());
      return Optional.empty();
    }
  }

  void write(Engine engine, SnapshotOffsets offsets) {
    try {
      engine.snapshot(file, offsets.toBytes());
    } catch (IOException e) {
      LOG.warn("the snapshot of searches could not be written: {}", e.toString());
    }
  }
}
