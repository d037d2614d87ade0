package dev.torg.bench.percolator;

import dev.torg.bench.workload.AdWorld;
import dev.torg.bench.workload.SampleOffer;
import dev.torg.matching.Query;
import dev.torg.matching.text.TextAnalysis;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.index.query.RangeQueryBuilder;

/// The same searches and offers as OpenSearch queries (filter context) and documents.
final class OpenSearchForm {
  private static final long MICROS = 1_000_000;

  private OpenSearchForm() {}

  static BoolQueryBuilder query(Query query) {
    BoolQueryBuilder all = QueryBuilders.boolQuery();
    if (query.category() != null) {
      all.filter(QueryBuilders.termQuery("category", query.category()));
    }
    if (!query.regions().isEmpty()) {
      all.filter(QueryBuilders.termsQuery("region", query.regions()));
    }
    if (query.price() != null) {
      all.filter(
          range(
              "number.price_" + query.price().currency(),
              query.price().from(),
              query.price().to()));
    }
    query
        .ranges()
        .forEach((key, range) -> all.filter(range("number." + key, range.from(), range.to())));
    query
        .anyOf()
        .forEach((key, values) -> all.filter(QueryBuilders.termsQuery("attr." + key, values)));
    query
        .noneOf()
        .forEach((key, values) -> all.mustNot(QueryBuilders.termsQuery("attr." + key, values)));
    if (query.withPhotos()) {
      all.filter(QueryBuilders.termQuery("photos", "true"));
    }
    query.words().forEach(word -> all.filter(QueryBuilders.termQuery("text", word)));
    query.phrases().forEach(phrase -> all.filter(QueryBuilders.matchPhraseQuery("text", phrase)));
    query.excludedWords().forEach(word -> all.mustNot(QueryBuilders.termQuery("text", word)));
    query
        .excludedPhrases()
        .forEach(phrase -> all.mustNot(QueryBuilders.matchPhraseQuery("text", phrase)));
    return all;
  }

  private static RangeQueryBuilder range(String field, long from, long to) {
    RangeQueryBuilder range = QueryBuilders.rangeQuery(field);
    if (from != Long.MIN_VALUE) {
      range.gte(from);
    }
    if (to != Long.MAX_VALUE) {
      range.lte(to);
    }
    return range;
  }

  static Map<String, Object> document(SampleOffer offer) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("category", offer.categoryPath());
    document.put("region", prefixes(offer.region()));
    document.put("photos", Boolean.toString(offer.photos()));
    Map<String, Object> numbers = new LinkedHashMap<>();
    numbers.put("price_" + AdWorld.CURRENCY, offer.price());
    Map<String, Object> values = new LinkedHashMap<>(offer.values());
    offer
        .numbers()
        .forEach(
            (key, value) -> {
              numbers.put(key, value * MICROS);
              values.put(key, value.toString());
            });
    offer.flags().forEach((key, value) -> values.put(key, value.toString()));
    document.put("number", numbers);
    document.put("attr", values);
    document.put("text", List.of(stems(offer.title()), stems(offer.description())));
    return document;
  }

  private static String stems(String text) {
    return String.join(" ", TextAnalysis.stems(text));
  }

  private static List<String> prefixes(String path) {
    List<String> all = new ArrayList<>();
    for (int slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
      all.add(path.substring(0, slash));
    }
    all.add(path);
    return all;
  }
}
