package dev.torg.matching.engine;

import dev.torg.matching.NumericBounds;
import dev.torg.matching.Query;
import dev.torg.matching.feature.Feature;
import java.util.Collection;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/// Query → [Program], numbering features and fields as it goes.
final class Compiler {
  private final ToIntFunction<Feature> features;
  private final ToIntFunction<String> fields;

  Compiler(ToIntFunction<Feature> features, ToIntFunction<String> fields) {
    this.features = features;
    this.fields = fields;
  }

  void compile(Query query, Program program) {
    program.clear();
    clause(program, Program.ALL, required(query));
    if (query.price() != null) {
      range(program, query.price().field(), query.price().from(), query.price().to());
    }
    query.ranges().forEach((key, range) -> range(program, key, range));
    anyOf(query).forEach(group -> clause(program, Program.ANY, group));
    clause(program, Program.NONE, excluded(query));
    query.phrases().forEach(phrase -> clause(program, Program.PHRASE, words(phrase)));
    query.excludedPhrases().forEach(phrase -> clause(program, Program.NOT_PHRASE, words(phrase)));
  }

  static List<Feature> required(Query query) {
    Stream.Builder<Feature> all = Stream.builder();
    query.words().forEach(word -> all.add(Feature.word(word)));
    if (query.category() != null) {
      all.add(Feature.category(query.category()));
    }
    if (query.seller() != null) {
      all.add(Feature.seller(query.seller()));
    }
    if (query.withPhotos()) {
      all.add(Feature.photos());
    }
    if (query.regions().size() == 1) {
      all.add(Feature.region(query.regions().first()));
    }
    query
        .anyOf()
        .forEach(
            (key, values) -> {
              if (values.size() == 1) {
                all.add(Feature.value(key, values.first()));
              }
            });
    return all.build().toList();
  }

  private static List<List<Feature>> anyOf(Query query) {
    Stream<List<Feature>> regions =
        query.regions().size() < 2
            ? Stream.empty()
            : Stream.of(query.regions().stream().map(Feature::region).toList());
    Stream<List<Feature>> sets =
        query.anyOf().entrySet().stream()
            .filter(set -> set.getValue().size() > 1)
            .map(
                set ->
                    set.getValue().stream()
                        .map(value -> Feature.value(set.getKey(), value))
                        .toList());
    return Stream.concat(regions, sets).toList();
  }

  private static List<Feature> excluded(Query query) {
    Stream<Feature> values =
        query.noneOf().entrySet().stream()
            .flatMap(
                set -> set.getValue().stream().map(value -> Feature.value(set.getKey(), value)));
    return Stream.concat(values, query.excludedWords().stream().map(Feature::word)).toList();
  }

  static List<Feature> words(String phrase) {
    return Stream.of(phrase.split(" ")).map(Feature::word).toList();
  }

  private void clause(Program program, int operation, Collection<Feature> operands) {
    if (operands.isEmpty()) {
      return;
    }
    program.begin(operation);
    operands.forEach(feature -> program.operand(features.applyAsInt(feature)));
  }

  private void range(Program program, String key, NumericBounds range) {
    range(program, key, range.from(), range.to());
  }

  private void range(Program program, String field, long from, long to) {
    program.begin(Program.RANGE);
    program.operand(fields.applyAsInt(field));
    program.operand(from);
    program.operand(to);
  }
}
