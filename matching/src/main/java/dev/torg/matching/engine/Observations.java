package dev.torg.matching.engine;

import dev.torg.matching.OfferFeatures;
import dev.torg.matching.feature.Feature;
import dev.torg.matching.feature.Hashes;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/// Statistics about offers: how often each key occurs (decayed), how many offers arrive a day, and a sample of
/// a few thousand recent ones. Fed by matching itself from a sample; a thread that finds the lock held skips
/// its update instead of waiting.
final class Observations {
  /// The first offers all count; then one in this many.
  private static final int ALL_UNTIL = 4_096;

  private static final int ONE_IN = 32;

  /// Samples after which all counts are halved.
  private static final int HALVE_AT = 1 << 16;

  /// Recent offers sampled for estimates.
  private static final int RECENT = 4_096;

  /// The weight of a kind's assumed frequency against the observed one, in offers.
  private static final double PRIOR_WEIGHT = 20;

  /// Offers a day are averaged over about this long.
  private static final Duration RATE_WINDOW = Duration.ofDays(7);

  private final InstantSource clock;
  private final Sketch sketch;
  private final ReentrantLock sampling = new ReentrantLock();
  private final LongAdder offers = new LongAdder();
  private final OfferFeatures[] recent = new OfferFeatures[RECENT];
  private volatile Instant since;
  private volatile long discarded;
  private volatile int samples;
  private volatile long everSampled;

  Observations(InstantSource clock) {
    this.clock = clock;
    this.sketch = new Sketch(20);
    this.since = clock.instant();
  }

  void see(OfferFeatures offer) {
    offers.increment();
    boolean sampled = everSampled < ALL_UNTIL || ThreadLocalRandom.current().nextInt(ONE_IN) == 0;
    if (sampled && sampling.tryLock()) {
      try {
        sample(offer);
      } finally {
        sampling.unlock();
      }
    }
  }

  private void sample(OfferFeatures offer) {
    recent[(int) (everSampled % RECENT)] = offer;
    addCategoriesAndRegions(offer);
    for (Feature word : offer.text().words()) {
      sketch.add(Hashes.key(0, 0, word.hash()));
      for (Feature category : offer.categories()) {
        sketch.add(Hashes.key(category.hash(), 0, word.hash()));
      }
    }
    everSampled = everSampled + 1;
    samples = samples + 1;
    if (samples >= HALVE_AT) {
      sketch.halve();
      samples = samples / 2;
    }
    fadeRate();
  }

  /// After two windows half of the time and half of the offers are discarded, which keeps the rate.
  private void fadeRate() {
    Duration elapsed = Duration.between(since, clock.instant());
    if (elapsed.compareTo(RATE_WINDOW.multipliedBy(2)) > 0) {
      discarded = discarded + counted() / 2;
      since = since.plus(elapsed.dividedBy(2));
    }
  }

  private long counted() {
    return offers.sum() - discarded;
  }

  private void addCategoriesAndRegions(OfferFeatures offer) {
    for (int c = -1; c < offer.categories().length; c++) {
      long category = c < 0 ? 0 : offer.categories()[c].hash();
      for (int r = -1; r < offer.regions().length; r++) {
        long region = r < 0 ? 0 : offer.regions()[r].hash();
        if (c >= 0 || r >= 0) {
          sketch.add(Hashes.key(category, region, 0));
        }
        for (Feature fact : offer.facts()) {
          sketch.add(Hashes.key(category, region, fact.hash()));
        }
      }
    }
  }

  /// The share of offers that have the key, leaning on `assumed` while little was seen.
  double frequency(long key, double assumed) {
    return (sketch.count(key) + PRIOR_WEIGHT * assumed) / (samples + PRIOR_WEIGHT);
  }

  double frequency(Feature feature) {
    long key =
        switch (feature.kind()) {
          case CATEGORY -> Hashes.key(feature.hash(), 0, 0);
          case REGION -> Hashes.key(0, feature.hash(), 0);
          case WORD, VALUE, SELLER, PHOTOS, NUMBER, PRICE_STEP -> Hashes.key(0, 0, feature.hash());
        };
    return frequency(key, assumed(feature));
  }

  private static double assumed(Feature feature) {
    return switch (feature.kind()) {
      case WORD -> 1e-3;
      case CATEGORY -> 0.05;
      case REGION -> assumedRegion(feature.text());
      case VALUE -> 0.02;
      case SELLER -> 1e-5;
      case PHOTOS -> 0.8;
      case NUMBER -> 0.2;
      case PRICE_STEP -> 0.06;
    };
  }

  /// Each level down is a sixteenth.
  private static double assumedRegion(String path) {
    double share = 0.5;
    for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      share /= 16;
    }
    return share;
  }

  /// The count so far while it covers less than a day: a burst in the first minutes does not predict the
  /// following hours, while the observed count is a lower bound.
  double offersPerDay() {
    long day = Duration.ofDays(1).toMillis();
    long elapsed = Duration.between(since, clock.instant()).toMillis();
    return counted() * (double) day / Math.max(day, elapsed);
  }

  List<OfferFeatures> recent() {
    List<OfferFeatures> retained = new ArrayList<>();
    for (OfferFeatures offer : recent) {
      if (offer != null) {
        retained.add(offer);
      }
    }
    return retained;
  }

  void write(SnapshotWriter out) throws IOException {
    sampling.lock();
    try {
      out.ints(sketch.counters());
      out.number(samples);
      out.number(counted());
      out.number(Duration.between(since, clock.instant()).toMillis());
    } finally {
      sampling.unlock();
    }
  }

  /// The time between writing and reading does not count.
  static Observations read(SnapshotReader in, InstantSource clock) throws IOException {
    Observations read = new Observations(clock);
    int[] counters = in.ints();
    System.arraycopy(counters, 0, read.sketch.counters(), 0, counters.length);
    read.samples = in.number();
    read.offers.add(in.longNumber());
    read.since = clock.instant().minusMillis(in.longNumber());
    return read;
  }

  long bytes() {
    return sketch.bytes();
  }
}
