package dev.torg.alerts.match;

import dev.torg.alerts.engine.AddedSearch;
import dev.torg.alerts.event.AlertContent;
import dev.torg.api.v1.Offer;
import dev.torg.favorites.OfferFeatureExtractor;
import dev.torg.matching.OfferFeatures;
import dev.torg.matching.SearchId;
import dev.torg.matching.engine.QueryCheck;
import dev.torg.offers.Offers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Matches searches that have just reached the engine against the offers this process handled without
/// them: those kept since the search was announced or, where they are no longer all kept, offers by
/// activation time from the database. Offers from before a search was announced are looked through
/// when its subscribers are projected ([dev.torg.alerts.backfill]). Blocks.
public final class SearchBackfill {
  /// Clocks of several machines may differ by so much.
  private static final Duration MAX_CLOCK_SKEW = Duration.ofSeconds(5);

  /// Matches that wait to be sent.
  private static final int MAX_BUFFERED_MATCHES = 5_000;

  private final Offers offers;
  private final RecentOffersWindow windows;
  private final AlertDispatcher spread;
  private final MatchMetrics metrics;

  SearchBackfill(
      Offers offers, RecentOffersWindow windows, AlertDispatcher spread, MatchMetrics meters) {
    this.offers = offers;
    this.windows = windows;
    this.spread = spread;
    this.metrics = meters;
  }

  private record Checked(AddedSearch search, QueryCheck check) {}

  public void match(List<AddedSearch> added) {
    if (added.isEmpty() || windows.partitions() == 0) {
      return;
    }
    Instant first =
        added.stream()
            .map(AddedSearch::at)
            .min(Instant::compareTo)
            .orElseThrow()
            .minus(MAX_CLOCK_SKEW);
    RecentOffersWindow.Slice recent = windows.since(first);
    List<Checked> searches =
        added.stream().map(search -> new Checked(search, new QueryCheck(search.query()))).toList();
    List<OfferMatch> interests = new ArrayList<>();
    for (RecentOffersWindow.KeptOffer kept : recent.offers()) {
      match(kept.offer(), kept.news(), kept.handledAt(), searches, interests);
    }
    if (!recent.complete()) {
      matchStoredOffers(first, searches, interests);
    }
    send(interests);
  }

  private void send(List<OfferMatch> interests) {
    metrics.backfilled(interests.size());
    spread.call().dispatch(interests);
    interests.clear();
  }

  /// As far back as offers may lag themselves.
  private void matchStoredOffers(
      Instant first, List<Checked> searches, List<OfferMatch> interests) {
    offers.forEachActivatedAfter(
        first.minus(RecentOffersWindow.WINDOW),
        offer -> {
          if (offer.getStatus() == Offer.Status.ACTIVE) {
            Instant activated = AlertContent.instant(offer.getActivatedAt());
            match(offer, AlertContent.newOffer(offer, activated), Instant.MAX, searches, interests);
          }
        });
  }

  private void match(
      Offer offer,
      AlertContent news,
      Instant handledAt,
      List<Checked> searches,
      List<OfferMatch> interests) {
    OfferFeatures features = OfferFeatureExtractor.of(offer, offers.categories());
    List<SearchId> found = new ArrayList<>();
    for (Checked one : searches) {
      boolean since = !handledAt.isBefore(one.search.at().minus(MAX_CLOCK_SKEW));
      if (since && one.check.factsHold(features) && one.check.textHolds(features)) {
        found.add(one.search.id());
      }
    }
    if (!found.isEmpty()) {
      interests.add(new OfferMatch(news, found, false));
      if (interests.stream().mapToInt(one -> one.searches().size()).sum() >= MAX_BUFFERED_MATCHES) {
        send(interests);
      }
    }
  }
}
