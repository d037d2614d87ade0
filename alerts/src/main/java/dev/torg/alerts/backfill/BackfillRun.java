package dev.torg.alerts.backfill;

import dev.torg.alerts.eligibility.AlertEligibility;
import dev.torg.alerts.event.AlertContent;
import dev.torg.api.v1.Offer;
import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.SubscriptionBackfill;
import dev.torg.favorites.SubscriptionBackfills;
import dev.torg.offers.ActivatedPage;
import dev.torg.offers.ActivationCursor;
import dev.torg.offers.Offers;
import dev.torg.platform.EpochMicros;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs scans and sends the matches. The position of a scan is written only after its alerts are durable:
/// after a crash some are sent again, none is lost. Subscriptions with omitted alerts
/// ([BackfillAlerts#deferred]) are not advanced. Blocks.
final class BackfillRun {
  private static final Logger LOG = LoggerFactory.getLogger(BackfillRun.class);

  /// Buffered finished subscriptions.
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

  /// @param shouldContinue whether the process may continue; checked between pages
  BackfillRun(
      Offers offers,
      SubscriptionBackfills backfills,
      BackfillAlerts alerts,
      InstantSource clock,
      BackfillMetrics metrics,
      BooleanSupplier shouldContinue) {
    this.offers = offers;
    this.backfills = backfills;
    this.alerts = alerts;
    this.clock = clock;
    this.metrics = metrics;
    this.shouldContinue = shouldContinue;
  }

  /// Returns whether all scans are complete.
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
        ActivatedPage page = offers.activatedAfter(scan.filter(), at);
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

  /// An offer that cannot be matched must not prevent the others from being matched.
  private void match(
      Offer offer,
      SearchMatcher searches,
      Map<String, List<SubscriptionBackfill>> followers,
      Map<String, List<SubscriptionBackfill>> subscribers) {
    List<SubscriptionBackfill> matched;
    AlertContent content;
    try {
      content = AlertContent.newOffer(offer, EpochMicros.instant(offer.getActivatedAt()));
      matched = new ArrayList<>(followers.getOrDefault(offer.getSellerId(), List.of()));
      for (String search : searches.matching(offer)) {
        matched.addAll(subscribers.getOrDefault(search, List.of()));
      }
    } catch (RuntimeException e) {
      LOG.error("offer {} cannot be matched and is omitted from a scan", offer.getId(), e);
      metrics.unreadable();
      return;
    }
    alerts.add(content, matched.stream().filter(row -> isEligible(row, content)).toList());
  }

  /// A scan for several subscriptions begins with the earliest, so some offers precede the range of others.
  private static boolean isEligible(SubscriptionBackfill row, AlertContent content) {
    return AlertEligibility.isEligible(content, row.owner(), row.createdAt())
        && !content.activatedAt().isBefore(row.scanFrom());
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

  /// The subscriptions without omitted alerts.
  private List<SubscriptionBackfill> done(List<SubscriptionBackfill> rows) {
    return rows.stream().filter(row -> !alerts.deferred().contains(row)).toList();
  }
}
