package dev.torg.bench.micro;

import dev.torg.matching.OfferFeatures;
import dev.torg.matching.Query;
import dev.torg.matching.engine.Engine;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// The scan of one hot key: 100,000 postings that the signature rejects by hash or by range, and
/// the cost of an offer without candidates.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ScanMicro {
  private static final int QUERIES = 100_000;

  private Engine byWord = Engine.create(InstantSource.system());
  private Engine byRange = Engine.create(InstantSource.system());
  private final OfferFeatures offer =
      OfferFeatures.builder()
          .categoryPath(List.of("cars"))
          .price(5, "EUR")
          .title("nothing that any search matches")
          .build();

  /// Offers observed beforehand make the category rare and the words common, so that all queries share its key.
  @Setup
  public void fill() {
    for (int i = 0; i < 2_000; i++) {
      OfferFeatures seen =
          OfferFeatures.builder().title("wanted").price(1L << (i % 40), "EUR").build();
      byWord.match(seen);
      byRange.match(seen);
    }
    byWord.load(
        IntStream.range(0, QUERIES)
            .mapToObj(
                i ->
                    Query.builder()
                        .category("cars")
                        .text("wanted")
                        .price("EUR", null, (long) i)
                        .build())
            .iterator());
    byRange.load(
        IntStream.range(0, QUERIES)
            .mapToObj(i -> Query.builder().category("cars").price("EUR", 100L + i, null).build())
            .iterator());
  }

  @TearDown
  public void close() {
    byWord.close();
    byRange.close();
  }

  @Benchmark
  public Object rejectByHash() {
    return byWord.match(offer);
  }

  @Benchmark
  public Object rejectByRange() {
    return byRange.match(offer);
  }
}
