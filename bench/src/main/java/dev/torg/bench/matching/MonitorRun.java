package dev.torg.bench.matching;

import dev.torg.bench.workload.SampleOffer;
import dev.torg.matching.Query;
import dev.torg.matching.SearchId;
import dev.torg.matching.text.OfferAnalyzer;
import dev.torg.matching.text.TextAnalysis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.monitor.MatchingQueries;
import org.apache.lucene.monitor.Monitor;
import org.apache.lucene.monitor.MonitorConfiguration;
import org.apache.lucene.monitor.MonitorQuery;
import org.apache.lucene.monitor.QueryMatch;
import org.apache.lucene.monitor.TermFilteredPresearcher;
import org.apache.lucene.monitor.TermWeightor;
import org.jspecify.annotations.Nullable;

/// Lucene Monitor on the same workload. Tuned: terms weighted by their rarity in offers, sets as
/// SHOULD clauses, the query index merged into one segment. Default: its own presearcher and set
/// queries.
final class MonitorRun implements AutoCloseable {
  /// Offers that the tuned presearcher's frequencies are counted on: as many as the engine observed.
  private static final int OBSERVED = 4_096;

  private static final int BATCH = 10_000;

  private static final class Capturing extends MonitorConfiguration {
    private final List<IndexWriter> writers = new ArrayList<>();

    @Override
    public IndexWriter buildIndexWriter() throws IOException {
      IndexWriter writer = super.buildIndexWriter();
      writers.add(writer);
      return writer;
    }
  }

  private final Monitor monitor;
  private final List<SampleOffer> offers;
  private final double loadSeconds;

  MonitorRun(Sampled sampled, boolean tuned) {
    offers = sampled.offers();
    Capturing configuration = new Capturing();
    configuration.setQueryUpdateBufferSize(BATCH);
    try {
      monitor = new Monitor(new OfferAnalyzer(), presearcher(tuned), configuration);
      long start = System.nanoTime();
      register(sampled.queries(), new LuceneForm(tuned), tuned ? configuration : null);
      loadSeconds = (System.nanoTime() - start) / 1e9;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private TermFilteredPresearcher presearcher(boolean tuned) {
    return tuned
        ? new TermFilteredPresearcher(rarity(), List.of(), Set.of())
        : new TermFilteredPresearcher();
  }

  /// The weight of a term: the rarer it is in offers, the better a query can be filed under it.
  private TermWeightor rarity() {
    Map<String, Integer> counts = new HashMap<>();
    int observed = Math.min(OBSERVED, offers.size());
    for (SampleOffer offer : offers.subList(0, observed)) {
      terms(offer).forEach(term -> counts.merge(term, 1, Integer::sum));
    }
    return term -> 1.0 / (0.5 + counts.getOrDefault(term.field() + ":" + term.text(), 0));
  }

  private static Set<String> terms(SampleOffer offer) {
    Set<String> terms = new HashSet<>();
    for (IndexableField field : LuceneForm.document(offer)) {
      String text = field.stringValue();
      if (text != null && field.name().equals("text")) {
        TextAnalysis.stems(text).forEach(stem -> terms.add("text:" + stem));
      } else if (text != null) {
        terms.add(field.name() + ":" + text);
      }
    }
    return terms;
  }

  /// The last query is registered after the merge, which makes the monitor see the merged index.
  private void register(Iterator<Query> queries, LuceneForm form, @Nullable Capturing merged)
      throws IOException {
    List<MonitorQuery> batch = new ArrayList<>();
    Query last = queries.next();
    while (queries.hasNext()) {
      batch.add(registered(last, form));
      last = queries.next();
      if (batch.size() == BATCH || !queries.hasNext()) {
        monitor.register(batch);
        batch.clear();
      }
    }
    if (merged != null) {
      merged.writers.getFirst().forceMerge(1);
    }
    monitor.register(registered(last, form));
  }

  private static MonitorQuery registered(Query query, LuceneForm form) {
    return new MonitorQuery(query.searchId().hex(), form.query(query));
  }

  double loadSeconds() {
    return loadSeconds;
  }

  Set<SearchId> match(SampleOffer offer) {
    Set<SearchId> ids = new HashSet<>();
    for (QueryMatch match : matches(offer).getMatches()) {
      ids.add(SearchId.parse(match.getQueryId()));
    }
    return ids;
  }

  private MatchingQueries<QueryMatch> matches(SampleOffer offer) {
    try {
      Document document = LuceneForm.document(offer);
      return monitor.match(document, QueryMatch.SIMPLE_MATCHER);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// One thread, for a bounded time.
  Measured run(Duration time) {
    Histogram latencies = new Histogram(3);
    long matched = 0;
    long checked = 0;
    int count = 0;
    long end = System.nanoTime() + time.toNanos();
    long cpu = Cpu.ofThread();
    long start = System.nanoTime();
    for (long before = start; before < end || count == 0; ) {
      MatchingQueries<QueryMatch> matches = matches(offers.get(count++ % offers.size()));
      matched += matches.getMatchCount();
      checked += matches.getQueriesRun();
      long now = System.nanoTime();
      latencies.recordValue(now - before);
      before = now;
    }
    return new Measured(
        count,
        System.nanoTime() - start,
        Cpu.ofThread() - cpu,
        latencies,
        matched,
        checked,
        checked);
  }

  @Override
  public void close() {
    try {
      monitor.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
