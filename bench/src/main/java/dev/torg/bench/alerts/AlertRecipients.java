package dev.torg.bench.alerts;

import dev.torg.api.v1.SearchQuery;
import dev.torg.bench.workload.AdWorld;
import dev.torg.bench.workload.Mix;
import dev.torg.bench.workload.SampleOffer;
import dev.torg.bench.workload.SampleSearch;
import java.util.function.Supplier;

/// What recipients have saved: recipient `n` saved search `n` and, if `n` is below the number of
/// follows, follows seller `n mod sellers`. With one search per recipient every alert stays a
/// separate entry: few arrive in the same hour.
///
/// The same searches are generated again whenever they are needed, so that a million need not be
/// held. They are the narrow ones of the generator, without its broadest: one that names no place
/// must name a model, or a brand and a word. So a million of them match an offer about 11 times,
/// instead of 100.
record AlertRecipients(int searches, int follows, int sellers) {
  private static final long SEARCH_SEED = 11;
  private static final long OFFER_SEED = 12;

  int count() {
    return Math.max(searches, follows);
  }

  static String recipient(int number) {
    return "user:r" + number;
  }

  static String seller(int number) {
    return "user:s" + number;
  }

  String followed(int recipient) {
    return seller(recipient % sellers);
  }

  /// The searches from the first on, in the order of their recipients.
  Supplier<SearchQuery> drawSearches() {
    AdWorld world = new AdWorld(SEARCH_SEED, searches);
    return () -> {
      SampleSearch drawn;
      do {
        drawn = world.search(Mix.NARROW);
      } while (isBroad(drawn));
      return Site.query(drawn);
    };
  }

  private static boolean isBroad(SampleSearch search) {
    boolean brandAndWord = search.anyOf().containsKey("brand") && !search.text().isBlank();
    return search.regions().isEmpty() && !search.anyOf().containsKey("model") && !brandAndWord;
  }

  Supplier<SampleOffer> drawOffers() {
    return new AdWorld(OFFER_SEED, searches)::offer;
  }
}
