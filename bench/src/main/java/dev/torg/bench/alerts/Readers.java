package dev.torg.bench.alerts;

import dev.torg.api.v1.SearchQuery;
import dev.torg.bench.workload.AdWorld;
import dev.torg.bench.workload.Mix;
import dev.torg.bench.workload.SampleOffer;
import java.util.function.Supplier;

/// Who reads what: reader `n` saved search `n` and, as far as follows go, follows seller `n mod
/// sellers`. A search a person keeps every alert an entry of its own: few come together in an hour.
///
/// The same searches are drawn again whenever they are needed, so that nobody keeps a million. They
/// are a share of a larger site, one in `share`: that sets how many of them an offer meets.
record Readers(int searches, int follows, int sellers, int share) {
  private static final long SEARCH_SEED = 11;
  private static final long OFFER_SEED = 12;

  int count() {
    return Math.max(searches, follows);
  }

  static String reader(int number) {
    return "user:r" + number;
  }

  static String seller(int number) {
    return "user:s" + number;
  }

  String followed(int reader) {
    return seller(reader % sellers);
  }

  /// The searches from the first on, in the order of their readers.
  Supplier<SearchQuery> drawSearches() {
    AdWorld world = new AdWorld(SEARCH_SEED, searches * share);
    return () -> Site.query(world.search(Mix.NARROW));
  }

  Supplier<SampleOffer> drawOffers() {
    return new AdWorld(OFFER_SEED, searches * share)::offer;
  }
}
