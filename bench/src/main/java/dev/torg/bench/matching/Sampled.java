package dev.torg.bench.matching;

import dev.torg.bench.workload.AdWorld;
import dev.torg.bench.workload.Mix;
import dev.torg.bench.workload.SampleOffer;
import dev.torg.matching.Query;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The searches and offers of one workload; every call draws the same.
record Sampled(long seed, int searches, Mix mix, boolean longText, int offerCount) {

  /// Searches as drawn; a few may have the same meaning.
  Iterator<Query> queries() {
    AdWorld world = new AdWorld(seed, searches);
    return IntStream.range(0, searches)
        .mapToObj(i -> Translate.query(world.search(mix)))
        .iterator();
  }

  List<SampleOffer> offers() {
    AdWorld world = new AdWorld(seed + 1, searches);
    return Stream.generate(() -> offer(world)).limit(offerCount).toList();
  }

  private SampleOffer offer(AdWorld world) {
    if (longText) {
      return world.longOffer();
    }
    return mix == Mix.HOT_KEY ? world.hotOffer() : world.offer();
  }
}
