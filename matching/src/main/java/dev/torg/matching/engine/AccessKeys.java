package dev.torg.matching.engine;

import dev.torg.matching.feature.Feature;
import dev.torg.matching.feature.Hashes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Chooses the keys (access predicates) under which a query is filed. A key is up to three features (category,
/// region, fact or word) that every offer satisfying the query must have; of an any-of clause each value gives
/// a key. Of all valid choices it takes the one that the fewest offers are expected to probe. Not thread-safe;
/// one per builder.
final class AccessKeys {
  /// More postings than this for one query are only accepted where no other choice is valid.
  private static final int MAX_POSTINGS = 32;

  /// Price ranges that touch more powers of two than this are not filed by price.
  private static final int MAX_PRICE_STEPS = 4;

  /// The cost of a further posting, in expected probes.
  private static final double POSTING_COST = 1e-6;

  /// A composite key costs every offer one more hash lookup, so it must be better by this factor.
  private static final double COMPOSITE_FACTOR = 1.5;

  private static final Feature[] NOTHING = {};

  private final Vocabulary vocabulary;
  private final Fields fields;
  private final Observations observations;
  private final KeyChoice choice;
  private double[] frequencies = new double[1024];
  private final Map<Feature, Double> featureFrequencies = new HashMap<>();

  private final List<Feature> words = new ArrayList<>();
  private final List<Feature[]> facts = new ArrayList<>();
  private @Nullable Feature category;
  private Feature[] regions = NOTHING;

  private record Candidate(@Nullable Feature category, Feature[] regions, Feature[] facts) {
    int postings() {
      return Math.max(1, regions.length) * Math.max(1, facts.length);
    }

    boolean isSingle() {
      return (category == null ? 0 : 1) + Math.min(1, regions.length) + Math.min(1, facts.length)
          == 1;
    }
  }

  private final List<Candidate> candidates = new ArrayList<>();
  private double[] costs = new double[16];

  /// The chosen keys: features by number, -1 where a part is not used.
  int count;

  int[] categoryIds = new int[8];
  int[] regionIds = new int[8];
  int[] factIds = new int[8];

  AccessKeys(Vocabulary vocabulary, Fields fields, Observations observations, KeyChoice choice) {
    this.vocabulary = vocabulary;
    this.fields = fields;
    this.observations = observations;
    this.choice = choice;
  }

  void choose(int[] code, int from, int to) {
    read(code, from, to);
    candidates.clear();
    for (Feature word : words) {
      addCandidate(null, NOTHING, new Feature[] {word});
    }
    for (Feature[] group : facts) {
      addCandidate(null, NOTHING, group);
    }
    addWithCategoryAndRegion(NOTHING);
    if (choice != KeyChoice.CHEAPEST || leastCost() > 5 * POSTING_COST) {
      composites();
    }
    retain(candidates.get(choice.choose(costs, candidates.size())));
  }

  private void composites() {
    if (category != null) {
      for (Feature word : words) {
        addCandidate(category, NOTHING, new Feature[] {word});
      }
    }
    for (Feature[] group : facts) {
      if (group[0].kind() != Feature.Kind.SELLER && group[0].kind() != Feature.Kind.PHOTOS) {
        addWithCategoryAndRegion(group);
      }
    }
  }

  /// The ways that add a place (category, region or both) to the facts.
  private void addWithCategoryAndRegion(Feature[] group) {
    if (category != null) {
      addCandidate(category, NOTHING, group);
    }
    if (regions.length > 0) {
      addCandidate(null, regions, group);
    }
    if (category != null && regions.length > 0) {
      addCandidate(category, regions, group);
    }
  }

  private double leastCost() {
    double least = Double.MAX_VALUE;
    for (int i = 0; i < candidates.size(); i++) {
      least = Math.min(least, costs[i]);
    }
    return least;
  }

  private void addCandidate(@Nullable Feature inCategory, Feature[] inRegions, Feature[] group) {
    Candidate candidate = new Candidate(inCategory, inRegions, group);
    if (!candidate.isSingle() && candidate.postings() > MAX_POSTINGS) {
      return;
    }
    if (candidates.size() == costs.length) {
      costs = Arrays.copyOf(costs, 2 * costs.length);
    }
    costs[candidates.size()] = cost(candidate);
    candidates.add(candidate);
  }

  private double cost(Candidate candidate) {
    double sum = 0;
    for (int r = 0; r < Math.max(1, candidate.regions.length); r++) {
      Feature region = candidate.regions.length == 0 ? null : candidate.regions[r];
      for (int f = 0; f < Math.max(1, candidate.facts.length); f++) {
        Feature fact = candidate.facts.length == 0 ? null : candidate.facts[f];
        sum += POSTING_COST + frequency(candidate.category, region, fact);
      }
    }
    return candidate.isSingle() ? sum : COMPOSITE_FACTOR * sum;
  }

  private double frequency(
      @Nullable Feature inCategory, @Nullable Feature region, @Nullable Feature fact) {
    double assumed = frequency(inCategory) * frequency(region) * frequency(fact);
    if ((inCategory == null ? 0 : 1) + (region == null ? 0 : 1) + (fact == null ? 0 : 1) == 1) {
      return assumed;
    }
    long key = Hashes.key(hash(inCategory), hash(region), hash(fact));
    return observations.frequency(key, assumed);
  }

  private static long hash(@Nullable Feature feature) {
    return feature == null ? 0 : feature.hash();
  }

  private double frequency(@Nullable Feature feature) {
    return feature == null
        ? 1
        : featureFrequencies.computeIfAbsent(feature, observations::frequency);
  }

  /// The frequency of a numbered feature, cached.
  double frequencyOf(int id) {
    if (id >= frequencies.length) {
      frequencies = Arrays.copyOf(frequencies, Math.max(id + 1, 2 * frequencies.length));
    }
    if (frequencies[id] == 0) {
      frequencies[id] = observations.frequency(vocabulary.get(id));
    }
    return frequencies[id];
  }

  private void retain(Candidate candidate) {
    count = 0;
    for (int r = 0; r < Math.max(1, candidate.regions.length); r++) {
      for (int f = 0; f < Math.max(1, candidate.facts.length); f++) {
        growTo(count + 1);
        categoryIds[count] =
            candidate.category == null ? -1 : vocabulary.intern(candidate.category);
        regionIds[count] =
            candidate.regions.length == 0 ? -1 : vocabulary.intern(candidate.regions[r]);
        factIds[count] = candidate.facts.length == 0 ? -1 : vocabulary.intern(candidate.facts[f]);
        count++;
      }
    }
  }

  private void growTo(int size) {
    if (size > categoryIds.length) {
      categoryIds = Arrays.copyOf(categoryIds, 2 * size);
      regionIds = Arrays.copyOf(regionIds, 2 * size);
      factIds = Arrays.copyOf(factIds, 2 * size);
    }
  }

  boolean isSingle(int key) {
    return (categoryIds[key] < 0 ? 0 : 1)
            + (regionIds[key] < 0 ? 0 : 1)
            + (factIds[key] < 0 ? 0 : 1)
        == 1;
  }

  /// The one feature of a single key.
  int singleId(int key) {
    return Math.max(categoryIds[key], Math.max(regionIds[key], factIds[key]));
  }

  /// The hash of a composite key.
  long compositeKey(int key) {
    return Hashes.key(hashOf(categoryIds[key]), hashOf(regionIds[key]), hashOf(factIds[key]));
  }

  private long hashOf(int id) {
    return id < 0 ? 0 : vocabulary.get(id).hash();
  }

  boolean covers(int feature) {
    return count == 1
        && (categoryIds[0] == feature || regionIds[0] == feature || factIds[0] == feature);
  }

  void markComposite(int key) {
    for (int id : new int[] {categoryIds[key], regionIds[key], factIds[key]}) {
      if (id >= 0) {
        vocabulary.markComposite(id);
      }
    }
  }

  private void read(int[] code, int from, int to) {
    words.clear();
    facts.clear();
    category = null;
    regions = NOTHING;
    for (int at = from; at < to; at += 1 + Program.operands(code[at])) {
      switch (Program.operation(code[at])) {
        case Program.ALL -> readAll(code, at);
        case Program.ANY -> readAny(code, at);
        case Program.PHRASE -> readPhrase(code, at);
        case Program.RANGE -> readRange(code, at + 1);
        default -> {}
      }
    }
  }

  private void readAll(int[] code, int at) {
    for (int i = 1; i <= Program.operands(code[at]); i++) {
      Feature feature = vocabulary.get(code[at + i]);
      switch (feature.kind()) {
        case WORD -> words.add(feature);
        case CATEGORY -> category = feature;
        case REGION -> regions = new Feature[] {feature};
        case VALUE, SELLER, PHOTOS, NUMBER, PRICE_STEP -> facts.add(new Feature[] {feature});
      }
    }
  }

  private void readAny(int[] code, int at) {
    Feature[] group = new Feature[Program.operands(code[at])];
    for (int i = 0; i < group.length; i++) {
      group[i] = vocabulary.get(code[at + 1 + i]);
    }
    if (group[0].kind() == Feature.Kind.REGION) {
      regions = group;
    } else {
      facts.add(group);
    }
  }

  private void readPhrase(int[] code, int at) {
    for (int i = 1; i <= Program.operands(code[at]); i++) {
      words.add(vocabulary.get(code[at + i]));
    }
  }

  private void readRange(int[] code, int at) {
    String field = fields.name(code[at]);
    facts.add(new Feature[] {Feature.number(field)});
    long from = Program.longAt(code, at + 1);
    long to = Program.longAt(code, at + 3);
    if (fields.isPrice(code[at]) && from > 0) {
      steps(field, Feature.step(from), Feature.step(to));
    }
  }

  private void steps(String field, int first, int last) {
    if (last - first >= MAX_PRICE_STEPS) {
      return;
    }
    Feature[] steps = new Feature[last - first + 1];
    for (int i = 0; i < steps.length; i++) {
      steps[i] = Feature.priceStep(field, first + i);
    }
    facts.add(steps);
  }
}
