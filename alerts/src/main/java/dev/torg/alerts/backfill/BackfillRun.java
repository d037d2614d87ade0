package dev.torg.alerts.backfill;

import dev.torg.alerts.event.AlertContent;
import dev.torg.api.v1.Offer;
import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.SubscriptionBackfill;
import dev.torg.favorites.SubscriptionBackfills;
import dev.torg.offers.ActivatedPage;
import dev.torg.offers.ActivationCursor;
import dev.torg.offers.Offers;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs scans and sends what they find. How far a scan is gets written only after the alerts found so
/// far are durable: after a crash some are sent again, none is missing. Subscriptions whose alerts had
/// to be left out ([BackfillAlerts#deferred]) stay as they are. Blocks.
final class BackfillRun {
  private static final Logger LOG = LoggerFactory.getLogger(BackfillRun.class);

  /// Finished subscriptions that wait to be removed.
  private static final int MAX_FINISHED_ROWS = 1_000;

  /// Pages after which a scan's position is written.
  static final int CHECKPOINT_PAGES = 100;

  private final Offers offers;
  private final SubscriptionBackfills backfills;
  private final BackfillAlerts alerts;
  private final InstantSource clock;
  private final BackfillMetrics metrics;
  private final BooleanSupplier shouldContinue;
  private final List<SubscriptionBackfill> finished = new ArrayList<>();

  /// @param goOn whether the process may continue; asked between pages
  BackfillRun(
      Offers offers,
      SubscriptionBackfills backfills,
      BackfillAlerts alerts,
      InstantSource clock,
      BackfillMetrics metrics,
      BooleanSupplier goOn) {
    this.offers = offers;
    this.backfills = backfills;
    this.alerts = alerts;
    this.clock = clock;
    this.metrics = metrics;
    this.shouldContinue = goOn;
  }

  /// Whether all came to their end.
  boolean run(List<BackfillScan> scans) {
    boolean ended = true;
    for (BackfillScan scan : scans) {
      ended = ended && shouldContinue.getAsBoolean() && run(scan);
      if (finished.size() >= MAX_FINISHED_ROWS) {
        removeFinished();
      }
    }
    removeFinished();
    return ended;
  }

  private boolean run(BackfillScan scan) {
    try (SearchMatcher searches =
        new SearchMatcher(scan.queries(), offers.categories(), clock, metrics::analysed)) {
      Map<String, List<SubscriptionBackfill>> followers = byTarget(scan, FavoriteKind.SELLER);
      Map<String, List<SubscriptionBackfill>> subscribers = byTarget(scan, FavoriteKind.SEARCH);
      ActivationCursor at = ActivationCursor.before(scan.from());
      for (int pages = 1; ; pages++) {
        ActivatedPage page = offers.activatedAfter(scan.which(), at);
        metrics.page(page);
        page.offers().forEach(offer -> match(offer, searches, followers, subscribers));
        at = page.next();
        if (page.last()) {
          finished.addAll(scan.rows());
          return true;
        }
        boolean stop = !shouldContinue.getAsBoolean();
        if (stop || pages % CHECKPOINT_PAGES == 0) {
          checkpoint(scan, at);
        }
        if (stop) {
          return false;
        }
      }
    }
  }

  private static Map<String, List<SubscriptionBackfill>> byTarget(
      BackfillScan scan, FavoriteKind kind) {
    return scan.rows().stream()
        .filter(row -> row.kind() == kind)
        .collect(Collectors.groupingBy(SubscriptionBackfill::target));
  }

  /// One offer that cannot be matched must not keep all others from their subscribers.
  private void match(
      Offer offer,
      SearchMatcher searches,
      Map<String, List<SubscriptionBackfill>> followers,
      Map<String, List<SubscriptionBackfill>> subscribers) {
    List<SubscriptionBackfill> found;
    AlertContent news;
    try {
      news = AlertContent.newOffer(offer, AlertContent.instant(offer.getActivatedAt()));
      found = new ArrayList<>(followers.getOrDefault(offer.getSellerId(), List.of()));
      for (String search : searches.matching(offer)) {
        found.addAll(subscribers.getOrDefault(search, List.of()));
      }
    } catch (RuntimeException e) {
      LOG.error("offer {} cannot be matched and is left out of a scan", offer.getId(), e);
      metrics.unreadable();
      return;
    }
    alerts.add(news, found.stream().filter(row -> isOlderThanOffer(row, news)).toList());
  }

  private static boolean isOlderThanOffer(SubscriptionBackfill row, AlertContent news) {
    Instant activated = news.activatedAt();
    return row.createdAt().isBefore(activated)
        && !activated.isBefore(row.scanFrom())
        && !row.owner().equals(news.seller());
  }

  private void checkpoint(BackfillScan scan, ActivationCursor at) {
    alerts.send();
    backfills.advance(done(scan.rows()), at.time());
  }

  private void removeFinished() {
    alerts.send();
    List<SubscriptionBackfill> done = done(finished);
    backfills.remove(done);
    metrics.finished(done.size());
    finished.clear();
  }

  /// Those for whom nothing was left out.
  private List<SubscriptionBackfill> done(List<SubscriptionBackfill> rows) {
    return rows.stream().filter(row -> !alerts.deferred().contains(row)).toList();
  }
}
