package dev.torg.alerts.match;

import dev.torg.alerts.alert.News;
import dev.torg.alerts.engine.AddedSearch;
import dev.torg.api.v1.Offer;
import dev.torg.favorites.Features;
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
/// when its subscribers are projected ([dev.torg.alerts.arrive]). Blocks.
public final class LateSearches {
  /// Clocks of several machines may differ by so much.
  private static final Duration SKEW = Duration.ofSeconds(5);

  /// Matches that wait to be sent.
  private static final int MAX_BUFFERED_MATCHES = 5_000;

  private final Offers offers;
  private final Windows windows;
  private final Spread spread;
  private final MatchMeters meters;

  LateSearches(Offers offers, Windows windows, Spread spread, MatchMeters meters) {
    this.offers = offers;
    this.windows = windows;
    this.spread = spread;
    this.meters = meters;
  }

  private record Checked(AddedSearch search, QueryCheck check) {}

  public void match(List<AddedSearch> added) {
    if (added.isEmpty() || windows.partitions() == 0) {
      return;
    }
    Instant first =
        added.stream().map(AddedSearch::at).min(Instant::compareTo).orElseThrow().minus(SKEW);
    Windows.Recent recent = windows.since(first);
    List<Checked> searches =
        added.stream().map(search -> new Checked(search, new QueryCheck(search.query()))).toList();
    List<Interest> interests = new ArrayList<>();
    for (Windows.Kept kept : recent.offers()) {
      look(kept.offer(), kept.news(), kept.handledAt(), searches, interests);
    }
    if (!recent.complete()) {
      lookThroughDatabase(first, searches, interests);
    }
    send(interests);
  }

  private void send(List<Interest> interests) {
    meters.late(interests.size());
    spread.call().spread(interests);
    interests.clear();
  }

  /// As far back as offers may lag themselves.
  private void lookThroughDatabase(
      Instant first, List<Checked> searches, List<Interest> interests) {
    offers.activatedAfter(
        first.minus(Windows.LENGTH),
        offer -> {
          if (offer.getStatus() == Offer.Status.ACTIVE) {
            Instant activated = News.instant(offer.getActivatedAt());
            look(offer, News.ofNew(offer, activated), Instant.MAX, searches, interests);
          }
        });
  }

  private void look(
      Offer offer, News news, Instant handledAt, List<Checked> searches, List<Interest> interests) {
    OfferFeatures features = Features.of(offer, offers.categories());
    List<SearchId> found = new ArrayList<>();
    for (Checked one : searches) {
      boolean since = !handledAt.isBefore(one.search.at().minus(SKEW));
      if (since && one.check.factsHold(features) && one.check.textHolds(features)) {
        found.add(one.search.id());
      }
    }
    if (!found.isEmpty()) {
      interests.add(new Interest(news, found, false));
      if (interests.stream().mapToInt(one -> one.searches().size()).sum() >= MAX_BUFFERED_MATCHES) {
        send(interests);
      }
    }
  }
}
