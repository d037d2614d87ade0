package dev.torg.alerts.arrive;

import dev.torg.alerts.alert.Alert;
import dev.torg.alerts.alert.AlertSink;
import dev.torg.alerts.alert.News;
import dev.torg.alerts.alert.Reason;
import dev.torg.alerts.alert.ReasonChoice;
import dev.torg.alerts.alert.Storms;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.Offer;
import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.SubscriptionBackfill;
import dev.torg.favorites.SubscriptionBackfills;
import dev.torg.offers.ActivatedPage;
import dev.torg.offers.ActivationCursor;
import dev.torg.offers.Offers;
import dev.torg.platform.OfferId;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs scans and sends what they find. How far a scan is gets written only after the alerts found so
/// far are durable: after a crash some are sent again, none is missing. Blocks.
final class BackfillRun {
  private static final Logger LOG = LoggerFactory.getLogger(BackfillRun.class);

  /// Alerts that wait to be sent.
  private static final int MAX_PENDING_ALERTS = 5_000;

  /// Finished subscriptions that wait to be removed.
  private static final int MAX_FINISHED_ROWS = 1_000;

  /// Pages after which a scan's position is written.
  static final int CHECKPOINT_PAGES = 100;

  /// Two scans may find an offer for one reader, by the seller and by a search.
  private record Subject(String reader, OfferId offer) {}

  private final Offers offers;
  private final SubscriptionBackfills backfills;
  private final AlertSink sink;
  private final InstantSource clock;
  private final BackfillMetrics metrics;
  private final BooleanSupplier goOn;
  private final Storms storms = new Storms();
  private final Map<Subject, Alert> pending = new LinkedHashMap<>();
  private final List<SubscriptionBackfill> finished = new ArrayList<>();

  /// @param goOn whether the process may continue; asked between pages
  BackfillRun(
      Offers offers,
      SubscriptionBackfills backfills,
      AlertSink sink,
      InstantSource clock,
      BackfillMetrics metrics,
      BooleanSupplier goOn) {
    this.offers = offers;
    this.backfills = backfills;
    this.sink = sink;
    this.clock = clock;
    this.metrics = metrics;
    this.goOn = goOn;
  }

  /// Whether all came to their end.
  boolean run(List<BackfillScan> scans) {
    boolean ended = true;
    for (BackfillScan scan : scans) {
      ended = ended && goOn.getAsBoolean() && run(scan);
      if (finished.size() >= MAX_FINISHED_ROWS) {
        removeFinished();
      }
    }
    removeFinished();
    return ended;
  }

  private boolean run(BackfillScan scan) {
    try (SearchSet searches =
        new SearchSet(scan.queries(), offers.categories(), clock, metrics::analysed)) {
      Map<String, List<SubscriptionBackfill>> followers = byTarget(scan, FavoriteKind.SELLER);
      Map<String, List<SubscriptionBackfill>> subscribers = byTarget(scan, FavoriteKind.SEARCH);
      ActivationCursor at = ActivationCursor.before(scan.from());
      for (int pages = 1; ; pages++) {
        ActivatedPage page = offers.activatedAfter(scan.which(), at);
        metrics.page(page);
        page.offers().forEach(offer -> look(offer, searches, followers, subscribers));
        at = page.next();
        if (page.last()) {
          finished.addAll(scan.rows());
          return true;
        }
        boolean stop = !goOn.getAsBoolean();
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
  private void look(
      Offer offer,
      SearchSet searches,
      Map<String, List<SubscriptionBackfill>> followers,
      Map<String, List<SubscriptionBackfill>> subscribers) {
    List<SubscriptionBackfill> found;
    News news;
    try {
      news = News.ofNew(offer, News.instant(offer.getActivatedAt()));
      found = new ArrayList<>(followers.getOrDefault(offer.getSellerId(), List.of()));
      for (String search : searches.matching(offer)) {
        found.addAll(subscribers.getOrDefault(search, List.of()));
      }
    } catch (RuntimeException e) {
      LOG.error("offer {} cannot be matched and is left out of a scan", offer.getId(), e);
      metrics.unreadable();
      return;
    }
    address(news, found);
  }

  private void address(News news, List<SubscriptionBackfill> found) {
    Map<String, ReasonChoice> readers = new LinkedHashMap<>();
    for (SubscriptionBackfill row : found) {
      if (concerns(row, news)) {
        Reason reason = reason(row);
        readers
            .computeIfAbsent(row.owner(), _ -> new ReasonChoice())
            .add(reason, Delivery.DELIVERY_UNSPECIFIED);
        storms.add(reason, news.offer());
      }
    }
    readers.forEach(
        (reader, reasons) -> {
          Alert alert = new Alert(reader, news, reasons.inOrder(news.offer()));
          pending.merge(new Subject(reader, news.offer()), alert, Alert::with);
          if (pending.size() >= MAX_PENDING_ALERTS) {
            send();
          }
        });
  }

  private static Reason reason(SubscriptionBackfill row) {
    return row.kind() == FavoriteKind.SELLER
        ? Reason.seller(row.target())
        : Reason.search(row.target());
  }

  private static boolean concerns(SubscriptionBackfill row, News news) {
    Instant activated = news.activatedAt();
    return row.createdAt().isBefore(activated)
        && !activated.isBefore(row.lookFrom())
        && !row.owner().equals(news.seller());
  }

  private void checkpoint(BackfillScan scan, ActivationCursor at) {
    send();
    backfills.advance(scan.rows(), at.time());
  }

  private void removeFinished() {
    send();
    backfills.remove(finished);
    metrics.finished(finished.size());
    finished.clear();
  }

  private void send() {
    storms.send(sink, List.copyOf(pending.values()));
    pending.clear();
  }
}
