package dev.torg.bench.matching;

import dev.torg.bench.workload.AdWorld;
import dev.torg.bench.workload.SampleOffer;
import dev.torg.matching.Query;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;

/// The same searches and offers as Lucene queries and documents, with exactly the same meaning.
final class LuceneForm {
  private static final long MICROS = 1_000_000;

  /// Sets as SHOULD clauses, which let the presearcher choose among their terms; else as one set
  /// query, the default.
  private final boolean setsAsShould;

  LuceneForm(boolean setsAsShould) {
    this.setsAsShould = setsAsShould;
  }

  org.apache.lucene.search.Query query(Query query) {
    BooleanQuery.Builder all = new BooleanQuery.Builder();
    if (query.category() != null) {
      all.add(term("category", query.category()), Occur.FILTER);
    }
    if (!query.regions().isEmpty()) {
      all.add(anyOf("region", query.regions()), Occur.FILTER);
    }
    if (query.price() != null) {
      all.add(
          LongPoint.newRangeQuery(query.price().field(), query.price().from(), query.price().to()),
          Occur.FILTER);
    }
    query
        .ranges()
        .forEach(
            (key, range) ->
                all.add(LongPoint.newRangeQuery(key, range.from(), range.to()), Occur.FILTER));
    query.anyOf().forEach((key, values) -> all.add(anyOf("attr." + key, values), Occur.FILTER));
    query.noneOf().forEach((key, values) -> all.add(anyOf("attr." + key, values), Occur.MUST_NOT));
    if (query.withPhotos()) {
      all.add(term("photos", "true"), Occur.FILTER);
    }
    texts(query, all);
    return all.build();
  }

  private static void texts(Query query, BooleanQuery.Builder all) {
    query.words().forEach(word -> all.add(term("text", word), Occur.FILTER));
    query
        .phrases()
        .forEach(phrase -> all.add(new PhraseQuery("text", phrase.split(" ")), Occur.FILTER));
    query.excludedWords().forEach(word -> all.add(term("text", word), Occur.MUST_NOT));
    query
        .excludedPhrases()
        .forEach(phrase -> all.add(new PhraseQuery("text", phrase.split(" ")), Occur.MUST_NOT));
  }

  private org.apache.lucene.search.Query anyOf(String field, Collection<String> values) {
    if (values.size() == 1) {
      return term(field, values.iterator().next());
    }
    if (!setsAsShould) {
      return new TermInSetQuery(field, values.stream().map(BytesRef::new).toList());
    }
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    values.forEach(value -> any.add(term(field, value), Occur.SHOULD));
    return any.build();
  }

  private static TermQuery term(String field, String value) {
    return new TermQuery(new Term(field, value));
  }

  static Document document(SampleOffer offer) {
    Document document = new Document();
    strings(document, "category", offer.categoryPath());
    region(document, offer.region());
    document.add(new LongPoint("price:" + AdWorld.CURRENCY, offer.price()));
    offer
        .numbers()
        .forEach(
            (key, value) -> {
              document.add(new LongPoint(key, value * MICROS));
              strings(document, "attr." + key, List.of(Long.toString(value)));
            });
    offer
        .values()
        .forEach(
            (key, value) ->
                strings(document, "attr." + key, List.of(value.toLowerCase(Locale.ROOT))));
    offer
        .flags()
        .forEach((key, value) -> strings(document, "attr." + key, List.of(value.toString())));
    strings(document, "photos", List.of(Boolean.toString(offer.photos())));
    document.add(new TextField("text", offer.title(), Field.Store.NO));
    document.add(new TextField("text", offer.description(), Field.Store.NO));
    return document;
  }

  private static void strings(Document document, String field, List<String> values) {
    values.forEach(value -> document.add(new StringField(field, value, Field.Store.NO)));
  }

  private static void region(Document document, String path) {
    for (int slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
      strings(document, "region", List.of(path.substring(0, slash)));
    }
    strings(document, "region", List.of(path));
  }
}
