package dev.torg.bench.micro;

import dev.torg.bench.workload.AdWorld;
import dev.torg.bench.workload.SampleOffer;
import dev.torg.matching.OfferFeatures;
import dev.torg.matching.Query;
import dev.torg.matching.text.TextAnalysis;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// Analysis of one offer's text, its features, and the canonical form of a search.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class TextMicro {
  private static final int OFFERS = 512;

  private final String[] texts = new String[OFFERS];
  private int next;
  private Query query = Query.builder().category("cars").build();

  @Setup
  public void draw() {
    AdWorld world = new AdWorld(1, 1_000_000);
    for (int i = 0; i < OFFERS; i++) {
      SampleOffer offer = world.offer();
      texts[i] = offer.title() + ' ' + offer.description();
    }
    query =
        Query.builder()
            .category("cars")
            .region("de/hessen")
            .price("EUR", 1L, 2L)
            .text("red \"fast car\" -old")
            .build();
  }

  @Benchmark
  public Object words() {
    return TextAnalysis.words(texts[next++ % OFFERS]);
  }

  @Benchmark
  public Object features() {
    return OfferFeatures.builder().description(texts[next++ % OFFERS]).build();
  }

  @Benchmark
  public Object searchId() {
    return query.searchId();
  }
}
