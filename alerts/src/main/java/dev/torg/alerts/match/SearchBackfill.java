package dev.torg.alerts.match;

import dev.torg.alerts.engine.AddedSearch;
import dev.torg.alerts.event.AlertContent;
import dev.torg.api.v1.Offer;
import dev.torg.matching.OfferFeatures;
import dev.torg.matching.SearchId;
import dev.torg.matching.engine.QueryCheck;
import dev.torg.offers.Offers;
import dev.torg.platform.EpochMicros;
import dev.torg.queries.OfferFeatureExtractor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Matches searches that have just reached the engine against the offers that this process handled
/// without them: those of [RecentOffersWindow] since the search was announced or, if the window is not
/// complete, offers by activation time from the database. Offers from before the announcement are scanned
/// when its subscribers are projected ([dev.torg.alerts.backfill]). Blocks.
public final class SearchBackfill {
  /// The assumed maximum difference between the clocks of processes.
  private static final Duration MAX_CLOCK_SKEW = Duration.ofSeconds(5);

  /// Buffered matches.
  private static final int MAX_BUFFERED_MATCHES = 5_000;

  private final Offers offers;
  private final RecentOffersWindow recentOffers;
  private final AlertDispatcher dispatcher;
  private final MatchMetrics metrics;

  SearchBackfill(
      Offers offers,
      RecentOffersWindow recentOffers,
      AlertDispatcher dispatcher,
      MatchMetrics metrics) {
    this.offers = offers;
    this.recentOffers = recentOffers;
    this.dispatcher = dispatcher;
    this.metrics = metrics;
  }

  private record Checked(AddedSearch search, QueryCheck check) {}

  public void match(List<AddedSearch> added) {
    if (added.isEmpty() || recentOffers.partitions() == 0) {
      return;
    }
    Instant first =
        added.stream()
            .map(AddedSearch::at)
            .min(Instant::compareTo)
            .orElseThrow()
            .minus(MAX_CLOCK_SKEW);
    RecentOffersWindow.Slice slice = recentOffers.since(first);
    List<Checked> searches =
        added.stream().map(search -> new Checked(search, new QueryCheck(search.query()))).toList();
    List<OfferMatch> matches = new ArrayList<>();
    for (RecentOffersWindow.RecentOffer recentOffer : slice.offers()) {
      match(recentOffer.offer(), recentOffer.content(), recentOffer.handledAt(), searches, matches);
    }
    if (!slice.complete()) {
      matchStoredOffers(first, searches, matches);
    }
    send(matches);
  }

  private void send(List<OfferMatch> matches) {
    metrics.backfilled(matches.size());
    dispatcher.call().dispatch(matches);
    matches.clear();
  }

  /// As far back as offers may lag.
  private void matchStoredOffers(Instant first, List<Checked> searches, List<OfferMatch> matches) {
    offers.forEachActivatedAfter(
        first.minus(RecentOffersWindow.WINDOW),
        offer -> {
          if (offer.getStatus() == Offer.Status.ACTIVE) {
            Instant activated = EpochMicros.instant(offer.getActivatedAt());
            match(offer, AlertContent.newOffer(offer, activated), Instant.MAX, searches, matches);
          }
        });
  }

  private void match(
      Offer offer,
      AlertContent content,
      Instant handledAt,
      List<Checked> searches,
      List<OfferMatch> matches) {
    OfferFeatures features = OfferFeatureExtractor.of(offer, offers.categories()::parent);
    List<SearchId> matching = new ArrayList<>();
    for (Checked checked : searches) {
      boolean since = !handledAt.isBefore(checked.search.at().minus(MAX_CLOCK_SKEW));
      if (since && checked.check.factsHold(features) && checked.check.textHolds(features)) {
        matching.add(checked.search.id());
      }
    }
    if (!matching.isEmpty()) {
      matches.add(new OfferMatch(content, matching, false));
      if (matches.stream().mapToInt(match -> match.searches().size()).sum()
          >= MAX_BUFFERED_MATCHES) {
        send(matches);
      }
    }
  }
}
