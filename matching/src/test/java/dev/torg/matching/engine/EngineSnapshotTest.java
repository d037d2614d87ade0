package dev.torg.matching.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.torg.matching.OfferFeatures;
import dev.torg.matching.SearchId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineSnapshotTest {
  private static final byte[] HEADER = "offsets: 1,2,3".getBytes(UTF_8);

  @TempDir Path directory;
  private final World world = new World(3);
  private final Engine engine = Engine.create(InstantSource.system());
  private Path file;

  @BeforeEach
  void fill() {
    file = directory.resolve("searches.snapshot");
    List<SearchId> ids = Stream.generate(world::searchInput).limit(300).map(this::add).toList();
    engine.merge();
    ids.subList(0, 50).forEach(engine::remove);
    List<SearchId> later = Stream.generate(world::searchInput).limit(100).map(this::add).toList();
    later.subList(0, 20).forEach(engine::remove);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private SearchId add(World.SearchInput search) {
    engine.add(search.query());
    return search.query().searchId();
  }

  @Test
  void restore_afterSnapshot_matchesTheSameAndContinues() throws Exception {
    engine.snapshot(file, HEADER);
    Engine.Restored restored = Engine.restore(file, InstantSource.system());

    assertThat(restored.header()).isEqualTo(HEADER);
    assertThat(restored.engine().size()).isEqualTo(engine.size());
    assertSameMatches(restored.engine());
    World.SearchInput more = world.searchInput();
    assertThat(restored.engine().add(more.query())).isEqualTo(engine.add(more.query()));
    restored.engine().merge();
    assertSameMatches(restored.engine());
    restored.engine().close();
  }

  private void snapshot() {
    try {
      engine.snapshot(file, HEADER);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void assertSameMatches(Engine other) {
    for (int i = 0; i < 40; i++) {
      OfferFeatures offer = world.offerInput().features();
      assertThat(other.match(offer).ids())
          .containsExactlyInAnyOrderElementsOf(engine.match(offer).ids());
    }
  }

  @Test
  void restore_truncatedAnywhere_failsClearly() throws Exception {
    engine.snapshot(file, HEADER);
    byte[] bytes = Files.readAllBytes(file);
    for (int length : new int[] {0, 7, 16, 23, 24, 100, bytes.length / 2, bytes.length - 1}) {
      Files.write(file, Arrays.copyOf(bytes, length));
      assertThatThrownBy(() -> Engine.restore(file, InstantSource.system()))
          .isInstanceOf(SnapshotException.class);
    }
  }

  @Test
  void restore_oneBitFlippedAnywhere_failsClearly() throws Exception {
    engine.snapshot(file, HEADER);
    byte[] bytes = Files.readAllBytes(file);
    Random random = new Random(1);
    for (int i = 0; i < 20; i++) {
      byte[] damaged = bytes.clone();
      damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      Files.write(file, damaged);
      assertThatThrownBy(() -> Engine.restore(file, InstantSource.system()))
          .isInstanceOf(SnapshotException.class);
    }
  }

  /// A lock that the thread leaves behind would block the writer for ever.
  @Test
  void snapshot_ofAThreadThatHasEnded_leavesNoLock() throws Exception {
    Thread.ofPlatform().start(this::snapshot).join();

    assertThat(file).exists();
    assertTimeoutPreemptively(
        Duration.ofSeconds(10),
        () -> {
          add(world.searchInput());
          engine.merge();
        });
  }

  @Test
  void snapshot_overAnOlderOne_replacesItCompletely() throws Exception {
    engine.snapshot(file, HEADER);
    engine.snapshot(file, new byte[0]);

    assertThat(Engine.restore(file, InstantSource.system()).header()).isEmpty();
    assertThat(Files.list(directory)).containsExactly(file);
  }
}
