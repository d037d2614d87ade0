package dev.torg.matching.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.matching.SearchId;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The engine against the plain-minded judge of [World].
class EngineOracleTest {
  private static final int OFFERS = 60;
  private static final int MERGE_NEVER = Integer.MAX_VALUE;

  private final Map<SearchId, World.Asked> held = new LinkedHashMap<>();

  static IntStream seeds() {
    return IntStream.range(0, 12);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void match_deltaOnly_equalsTheOracle(int seed) {
    Engine engine = engine(EngineSettings.WHOLE_HASH, KeyChoice.CHEAPEST);
    World world = fill(engine, seed, 400);

    assertAgreement(engine, world);
    engine.close();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void match_baseOnly_equalsTheOracle(int seed) {
    Engine engine = engine(EngineSettings.WHOLE_HASH, KeyChoice.CHEAPEST);
    World world = fill(engine, seed, 400);
    engine.merge();
    observe(engine, world);
    engine.merge();

    assertThat(engine.stats().delta()).isZero();
    assertAgreement(engine, world);
    engine.close();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void match_anyLegalKeyForced_equalsTheOracle(int seed) {
    Random random = new Random(seed);
    Engine engine = engine(EngineSettings.WHOLE_HASH, (costs, count) -> random.nextInt(count));
    World world = fill(engine, seed, 200);
    engine.merge();
    fillMore(engine, world, 200);

    assertAgreement(engine, world);
    engine.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {0L, 1L, 7L, 0x0001_0000_0000_0003L, 0x0007_0000_0000_0000L})
  void match_hashesForcedToCollide_equalsTheOracle(long mask) {
    Random random = new Random(mask);
    Engine engine = engine(mask, (costs, count) -> random.nextInt(count));
    World world = fill(engine, 5, 200);
    engine.merge();
    fillMore(engine, world, 200);

    assertAgreement(engine, world);
    engine.close();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void match_anyOrderOfAddRemoveReplaceMerge_equalsTheOracle(int seed) {
    Engine engine = engine(EngineSettings.WHOLE_HASH, KeyChoice.CHEAPEST);
    World world = new World(seed);
    List<World.Asked> gone = new ArrayList<>();
    for (int step = 0; step < 600; step++) {
      change(engine, world, gone);
    }

    assertThat(engine.size()).isEqualTo(held.size());
    assertAgreement(engine, world);
    engine.close();
  }

  private void change(Engine engine, World world, List<World.Asked> gone) {
    if (world.chance(2)) {
      engine.merge();
    } else if (world.chance(25) && !held.isEmpty()) {
      SearchId id = world.pick(new ArrayList<>(held.keySet()));
      gone.add(held.remove(id));
      assertThat(engine.remove(id)).isTrue();
    } else if (world.chance(15) && !held.isEmpty()) {
      SearchId old = world.pick(new ArrayList<>(held.keySet()));
      World.Asked next = world.asked();
      held.remove(old);
      engine.replace(old, next.query());
      held.put(next.query().searchId(), next);
    } else {
      World.Asked next = !gone.isEmpty() && world.chance(30) ? world.pick(gone) : world.asked();
      assertThat(engine.add(next.query())).isEqualTo(!held.containsKey(next.query().searchId()));
      held.put(next.query().searchId(), next);
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void query_heldAnywhere_comesBackEqual(int seed) {
    Engine engine = engine(EngineSettings.WHOLE_HASH, KeyChoice.CHEAPEST);
    World world = fill(engine, seed, 100);
    engine.merge();
    fillMore(engine, world, 100);

    held.forEach((id, asked) -> assertThat(engine.query(id)).contains(asked.query()));
    engine.close();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void explain_anyQueryAndOffer_agreesWithTheOracle(int seed) {
    Engine engine = engine(EngineSettings.WHOLE_HASH, KeyChoice.CHEAPEST);
    World world = new World(seed);
    for (int i = 0; i < 300; i++) {
      World.Asked asked = world.asked();
      World.Offered offer = world.offered();
      MatchExplanation explanation = engine.explain(asked.query(), offer.features());
      assertThat(explanation.matches())
          .as(asked.query().canonical())
          .isEqualTo(World.satisfies(asked, offer));
      assertThat(explanation.matches()).isEqualTo(explanation.failing().isEmpty());
      assertThat(engine.matches(asked.query(), offer.features())).isEqualTo(explanation.matches());
      assertThat(explanation.decidedBy()).isNotEmpty();
    }
    engine.close();
  }

  private static Engine engine(long mask, KeyChoice choice) {
    return new Engine(
        new EngineSettings(mask, choice, MERGE_NEVER),
        new Observations(InstantSource.system()),
        null);
  }

  private World fill(Engine engine, int seed, int count) {
    World world = new World(seed);
    fillMore(engine, world, count);
    return world;
  }

  private void fillMore(Engine engine, World world, int count) {
    for (int i = 0; i < count; i++) {
      World.Asked asked = world.asked();
      engine.add(asked.query());
      held.put(asked.query().searchId(), asked);
    }
  }

  private static void observe(Engine engine, World world) {
    for (int i = 0; i < 100; i++) {
      engine.match(world.offered().features());
    }
  }

  private void assertAgreement(Engine engine, World world) {
    Set<SearchId> met = new HashSet<>();
    for (int i = 0; i < OFFERS; i++) {
      World.Offered offer = world.offered();
      Matches matches = engine.match(offer.features());
      List<SearchId> expected =
          held.entrySet().stream()
              .filter(e -> World.satisfies(e.getValue(), offer))
              .map(Map.Entry::getKey)
              .sorted()
              .toList();
      assertThat(matches.ids().stream().sorted().toList()).isEqualTo(expected);
      assertThat(matches.failed()).isZero();
      met.addAll(expected);
    }
    assertThat(met).as("the world is made for meetings").hasSizeGreaterThan(20);
  }
}
