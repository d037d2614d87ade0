package dev.torg.matching.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.matching.OfferFeatures;
import dev.torg.matching.SearchId;
import java.nio.file.Files;
import java.nio.file.Path;
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
    List<SearchId> ids = Stream.generate(world::asked).limit(300).map(this::add).toList();
    engine.merge();
    ids.subList(0, 50).forEach(engine::remove);
    List<SearchId> later = Stream.generate(world::asked).limit(100).map(this::add).toList();
    later.subList(0, 20).forEach(engine::remove);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private SearchId add(World.Asked asked) {
    engine.add(asked.query());
    return asked.query().searchId();
  }

  @Test
  void restore_afterSnapshot_matchesTheSameAndContinues() throws Exception {
    engine.snapshot(file, HEADER);
    Engine.Restored restored = Engine.restore(file, InstantSource.system());

    assertThat(restored.header()).isEqualTo(HEADER);
    assertThat(restored.engine().size()).isEqualTo(engine.size());
    assertSameMatches(restored.engine());
    World.Asked more = world.asked();
    assertThat(restored.engine().add(more.query())).isEqualTo(engine.add(more.query()));
    restored.engine().merge();
    assertSameMatches(restored.engine());
    restored.engine().close();
  }

  private void assertSameMatches(Engine other) {
    for (int i = 0; i < 40; i++) {
      OfferFeatures offer = world.offered().features();
      assertThat(other.match(offer).ids())
          .containsExactlyInAnyOrderElementsOf(engine.match(offer).ids());
    }
  }

  @Test
  void restore_cutAnywhere_failsClearly() throws Exception {
    engine.snapshot(file, HEADER);
    byte[] whole = Files.readAllBytes(file);
    for (int length : new int[] {0, 7, 16, 23, 24, 100, whole.length / 2, whole.length - 1}) {
      Files.write(file, Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> Engine.restore(file, InstantSource.system()))
          .isInstanceOf(SnapshotException.class);
    }
  }

  @Test
  void restore_oneBitFlippedAnywhere_failsClearly() throws Exception {
    engine.snapshot(file, HEADER);
    byte[] whole = Files.readAllBytes(file);
    Random random = new Random(1);
    for (int i = 0; i < 20; i++) {
      byte[] damaged = whole.clone();
      damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      Files.write(file, damaged);
      assertThatThrownBy(() -> Engine.restore(file, InstantSource.system()))
          .isInstanceOf(SnapshotException.class);
    }
  }

  @Test
  void snapshot_overAnOlderOne_replacesItWhole() throws Exception {
    engine.snapshot(file, HEADER);
    engine.snapshot(file, new byte[0]);

    assertThat(Engine.restore(file, InstantSource.system()).header()).isEmpty();
    assertThat(Files.list(directory)).containsExactly(file);
  }
}
