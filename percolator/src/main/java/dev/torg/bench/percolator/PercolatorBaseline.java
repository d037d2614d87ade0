package dev.torg.bench.percolator;

import dev.torg.bench.matching.Baseline;
import dev.torg.bench.workload.SampleOffer;
import dev.torg.matching.Query;
import dev.torg.matching.SearchId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.codelibs.opensearch.runner.OpenSearchRunner;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.percolator.PercolateQueryBuilder;
import org.opensearch.search.SearchHit;

/// One in-process OpenSearch node with one shard, its index merged into one segment, offers percolated in batches.
final class PercolatorBaseline implements Baseline {
  private static final String INDEX = "searches";
  private static final int BULK = 5_000;
  private static final int BATCH = 16;

  /// A document of a hundred words becomes a candidate query of many terms.
  private static final int MAX_TERMS = 1_000_000;

  /// All matches of a batch in one response.
  private static final int MAX_MATCHES = 1_000_000;

  private static final String MAPPING =
      """
      {"dynamic_templates":[
        {"numbers":{"path_match":"number.*","mapping":{"type":"long"}}},
        {"values":{"path_match":"attr.*","mapping":{"type":"keyword"}}}],
       "properties":{
        "query":{"type":"percolator"},
        "category":{"type":"keyword"},"region":{"type":"keyword"},"photos":{"type":"keyword"},
        "number":{"properties":{"price_EUR":{"type":"long"},"year":{"type":"long"},"mileageKm":{"type":"long"},"size":{"type":"long"}}},
        "attr":{"properties":{"brand":{"type":"keyword"},"model":{"type":"keyword"},"color":{"type":"keyword"},"condition":{"type":"keyword"},
          "delivery":{"type":"keyword"},"year":{"type":"keyword"},"mileageKm":{"type":"keyword"},"size":{"type":"keyword"}}},
        "text":{"type":"text","analyzer":"whitespace"}}}
      """;

  private final OpenSearchRunner runner = new OpenSearchRunner();

  PercolatorBaseline(Iterator<Query> queries) {
    try {
      Path directory = Files.createTempDirectory("torg-percolator");
      runner.onBuild(
          (number, settings) -> settings.put("indices.query.bool.max_clause_count", MAX_TERMS));
      runner.build(OpenSearchRunner.newConfigs().basePath(directory.toString()).numOfNode(1));
      createIndex();
      load(queries);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void createIndex() {
    Settings settings =
        Settings.builder()
            .put("index.number_of_shards", 1)
            .put("index.number_of_replicas", 0)
            .put("index.refresh_interval", "-1")
            .put("index.max_result_window", MAX_MATCHES)
            .build();
    runner
        .client()
        .admin()
        .indices()
        .prepareCreate(INDEX)
        .setSettings(settings)
        .setMapping(MAPPING)
        .get();
  }

  private void load(Iterator<Query> queries) throws IOException {
    BulkRequestBuilder bulk = runner.client().prepareBulk();
    while (queries.hasNext()) {
      Query query = queries.next();
      XContentBuilder source =
          XContentFactory.jsonBuilder()
              .startObject()
              .field("query", OpenSearchForm.query(query))
              .endObject();
      bulk.add(runner.client().prepareIndex(INDEX).setId(query.searchId().hex()).setSource(source));
      if (bulk.numberOfActions() == BULK || !queries.hasNext()) {
        if (bulk.get().hasFailures()) {
          throw new IOException("OpenSearch refused some queries");
        }
        bulk = runner.client().prepareBulk();
      }
    }
    runner.client().admin().indices().prepareForceMerge(INDEX).setMaxNumSegments(1).get();
    runner.client().admin().indices().prepareRefresh(INDEX).get();
  }

  @Override
  public int batch() {
    return BATCH;
  }

  @Override
  public List<Set<SearchId>> match(List<SampleOffer> offers) {
    List<Set<SearchId>> matches = new ArrayList<>();
    offers.forEach(offer -> matches.add(new HashSet<>()));
    PercolateQueryBuilder percolate =
        new PercolateQueryBuilder(
            "query", offers.stream().map(PercolatorBaseline::bytes).toList(), XContentType.JSON);
    for (SearchHit hit : hits(percolate)) {
      SearchId id = SearchId.parse(hit.getId());
      for (Object slot : hit.field("_percolator_document_slot").getValues()) {
        matches.get(((Number) slot).intValue()).add(id);
      }
    }
    return matches;
  }

  private SearchHit[] hits(PercolateQueryBuilder percolate) {
    return runner
        .client()
        .prepareSearch(INDEX)
        .setQuery(QueryBuilders.boolQuery().filter(percolate))
        .setFetchSource(false)
        .setSize(MAX_MATCHES)
        .get()
        .getHits()
        .getHits();
  }

  private static BytesReference bytes(SampleOffer offer) {
    try (XContentBuilder builder = XContentFactory.jsonBuilder()) {
      return BytesReference.bytes(builder.map(OpenSearchForm.document(offer)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      runner.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    runner.clean();
  }
}
