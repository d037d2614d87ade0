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

/// The engine against the brute-force oracle of [World].
class EngineOracleTest {
  private static final int OFFERS = 60;
  private static final int MERGE_NEVER = Integer.MAX_VALUE;

  private final Map<SearchId, World.SearchInput> stored = new LinkedHashMap<>();

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
    List<World.SearchInput> removed = new ArrayList<>();
    for (int step = 0; step < 600; step++) {
      change(engine, world, removed);
    }

    assertThat(engine.size()).isEqualTo(stored.size());
    assertAgreement(engine, world);
    engine.close();
  }

  private void change(Engine engine, World world, List<World.SearchInput> removed) {
    if (world.chance(2)) {
      engine.merge();
    } else if (world.chance(25) && !stored.isEmpty()) {
      SearchId id = world.pick(new ArrayList<>(stored.keySet()));
      removed.add(stored.remove(id));
      assertThat(engine.remove(id)).isTrue();
    } else if (world.chance(15) && !stored.isEmpty()) {
      SearchId old = world.pick(new ArrayList<>(stored.keySet()));
      World.SearchInput next = world.searchInput();
      stored.remove(old);
      engine.replace(old, next.query());
      stored.put(next.query().searchId(), next);
    } else {
      World.SearchInput next =
          !removed.isEmpty() && world.chance(30) ? world.pick(removed) : world.searchInput();
      assertThat(engine.add(next.query())).isEqualTo(!stored.containsKey(next.query().searchId()));
      stored.put(next.query().searchId(), next);
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void query_heldAnywhere_isReadBackEqual(int seed) {
    Engine engine = engine(EngineSettings.WHOLE_HASH, KeyChoice.CHEAPEST);
    World world = fill(engine, seed, 100);
    engine.merge();
    fillMore(engine, world, 100);

    stored.forEach((id, search) -> assertThat(engine.query(id)).contains(search.query()));
    engine.close();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void explain_anyQueryAndOffer_agreesWithTheOracle(int seed) {
    Engine engine = engine(EngineSettings.WHOLE_HASH, KeyChoice.CHEAPEST);
    World world = new World(seed);
    for (int i = 0; i < 300; i++) {
      World.SearchInput search = world.searchInput();
      World.OfferInput offer = world.offerInput();
      MatchExplanation explanation = engine.explain(search.query(), offer.features());
      assertThat(explanation.matches())
          .as(search.query().canonical())
          .isEqualTo(World.satisfies(search, offer));
      assertThat(explanation.matches()).isEqualTo(explanation.failing().isEmpty());
      assertThat(engine.matches(search.query(), offer.features())).isEqualTo(explanation.matches());
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
      World.SearchInput search = world.searchInput();
      engine.add(search.query());
      stored.put(search.query().searchId(), search);
    }
  }

  private static void observe(Engine engine, World world) {
    for (int i = 0; i < 100; i++) {
      engine.match(world.offerInput().features());
    }
  }

  private void assertAgreement(Engine engine, World world) {
    Set<SearchId> met = new HashSet<>();
    for (int i = 0; i < OFFERS; i++) {
      World.OfferInput offer = world.offerInput();
      Matches matches = engine.match(offer.features());
      List<SearchId> expected =
          stored.entrySet().stream()
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
