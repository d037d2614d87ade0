package dev.torg.matching.engine;

import dev.torg.matching.Query;
import dev.torg.matching.QueryBuilder;
import dev.torg.matching.feature.Feature;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A stored record → the query it came from.
final class Decompiler {
  private final Segment segment;
  private final int[] code;

  Decompiler(Segment segment) {
    this.segment = segment;
    this.code = segment.records();
  }

  Query query(int record) {
    QueryBuilder query = Query.builder();
    int end = record + Records.sizeAt(code, record);
    for (int at = record + Records.PROGRAM; at < end; at += 1 + Program.operands(code[at])) {
      clause(query, at);
    }
    return query.build();
  }

  private void clause(QueryBuilder query, int at) {
    switch (Program.operation(code[at])) {
      case Program.ALL -> features(at).forEach(feature -> required(query, feature));
      case Program.ANY -> anyOf(query, features(at));
      case Program.NONE -> features(at).forEach(feature -> excluded(query, feature));
      case Program.RANGE -> range(query, at + 1);
      case Program.PHRASE -> query.stemmedPhrase(phrase(at));
      case Program.NOT_PHRASE -> query.excludedStemmedPhrase(phrase(at));
      default -> throw new IllegalStateException("no such clause: " + code[at]);
    }
  }

  private List<Feature> features(int at) {
    return IntStream.rangeClosed(1, Program.operands(code[at]))
        .mapToObj(i -> segment.vocabulary().get(code[at + i]))
        .toList();
  }

  private String phrase(int at) {
    return features(at).stream().map(Feature::text).collect(Collectors.joining(" "));
  }

  private static void required(QueryBuilder query, Feature feature) {
    switch (feature.kind()) {
      case WORD -> query.stem(feature.text());
      case CATEGORY -> query.category(feature.text());
      case REGION -> query.region(feature.text());
      case SELLER -> query.seller(feature.text());
      case PHOTOS -> query.withPhotos(true);
      case VALUE -> query.anyOf(key(feature), List.of(value(feature)));
      case NUMBER, PRICE_STEP -> throw new IllegalStateException("no clause requires " + feature);
    }
  }

  private static void anyOf(QueryBuilder query, List<Feature> features) {
    if (features.getFirst().kind() == Feature.Kind.REGION) {
      features.forEach(region -> query.region(region.text()));
    } else {
      query.anyOf(key(features.getFirst()), features.stream().map(Decompiler::value).toList());
    }
  }

  private static void excluded(QueryBuilder query, Feature feature) {
    if (feature.kind() == Feature.Kind.WORD) {
      query.excludedStem(feature.text());
    } else {
      query.noneOf(key(feature), List.of(value(feature)));
    }
  }

  private void range(QueryBuilder query, int at) {
    String field = segment.fields().name(code[at]);
    long from = Program.longAt(code, at + 1);
    long to = Program.longAt(code, at + 3);
    if (segment.fields().isPrice(code[at])) {
      query.price(
          field.substring(field.indexOf(':') + 1),
          from == Long.MIN_VALUE ? null : from,
          to == Long.MAX_VALUE ? null : to);
    } else {
      query.range(
          field,
          from == Long.MIN_VALUE ? null : decimal(from),
          to == Long.MAX_VALUE ? null : decimal(to));
    }
  }

  private static BigDecimal decimal(long micros) {
    return BigDecimal.valueOf(micros, 6);
  }

  private static String key(Feature feature) {
    return feature.text().substring(0, feature.text().indexOf('='));
  }

  private static String value(Feature feature) {
    return feature.text().substring(feature.text().indexOf('=') + 1);
  }
}
