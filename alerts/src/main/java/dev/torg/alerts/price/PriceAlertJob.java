package dev.torg.alerts.price;

import dev.torg.alerts.AlertTopics;
import dev.torg.alerts.eligibility.AlertEligibility;
import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.event.AlertReason;
import dev.torg.alerts.event.AlertSettings;
import dev.torg.alerts.event.AlertSink;
import dev.torg.alerts.event.AlertStormDetector;
import dev.torg.alerts.fanout.Fanout;
import dev.torg.alerts.fanout.FanoutStore;
import dev.torg.api.v1.Offer;
import dev.torg.favorites.Audiences;
import dev.torg.favorites.Audiences.Member;
import dev.torg.offers.Offers;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.job.EachHome;
import dev.torg.platform.lease.Lease;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Sends alerts about prices that have not changed for the debounce time to the savers of the offer. The
/// alert contains the current price; whether it is new is decided by each recipient's own row. An offer
/// that is not active causes none: when it is reactivated, its price becomes due again. Blocks.
///
/// **Storms.** More than 20 prices of one seller in a turn, such as a feed causes, have their alerts on the
/// topic of storms, while backpressure allows it. Otherwise they are deferred, and other sellers' prices are
/// served: a feed that reprices a catalogue which many users saved delays neither these nor ordinary alerts.
public final class PriceAlertJob {
  /// Prices of one home per turn: a home with many repriced offers does not delay the others.
  private static final int PRICES_PAGE_SIZE = 50;

  private static final Duration MIN_ALERT_INTERVAL = Duration.ofHours(1);

  /// How long the prices of a storm are deferred during backpressure.
  private static final Duration STORM_RETRY_INTERVAL = Duration.ofSeconds(10);

  private final Database database;
  private final Offers offers;
  private final Audiences audiences;
  private final AlertSink sink;
  private final BooleanSupplier allowsStorms;
  private final AlertSettings settings;
  private final FormerPrices former;
  private final PriceDebounceStore store = new PriceDebounceStore();
  private final FanoutStore fanouts = new FanoutStore();

  /// @param allowsStorms whether backpressure allows storms
  public PriceAlertJob(
      Database database,
      Offers offers,
      Audiences audiences,
      AlertSink sink,
      BooleanSupplier allowsStorms,
      AlertSettings settings) {
    this.database = database;
    this.offers = offers;
    this.audiences = audiences;
    this.sink = sink;
    this.allowsStorms = allowsStorms;
    this.settings = settings;
    this.former = new FormerPrices(offers);
  }

  /// Homes with due prices.
  public List<Home> due(List<Home> homes, Instant now) {
    return database.read(tx -> store.homesDue(tx, homes, now));
  }

  /// Returns whether more may be due.
  public boolean run(Lease lease, Instant now) {
    return EachHome.run(due(lease.homes(), now), home -> run(lease, home, now));
  }

  private boolean run(Lease lease, Home home, Instant now) {
    List<PriceDebounceStore.Due> due =
        database.read(tx -> store.due(tx, home, now, PRICES_PAGE_SIZE));
    List<OfferId> ids = due.stream().map(PriceDebounceStore.Due::offer).toList();
    Map<OfferId, Offer> byId = offers.find(ids).join();
    Set<OfferId> saved = audiences.saved(ids);
    List<PriceDebounceStore.Due> relevant = new ArrayList<>();
    List<PriceDebounceStore.Due> irrelevant = new ArrayList<>();
    for (PriceDebounceStore.Due row : due) {
      boolean isRelevant = saved.contains(row.offer()) && isActive(byId.get(row.offer()));
      (isRelevant ? relevant : irrelevant).add(row);
    }
    if (!irrelevant.isEmpty()) {
      under(lease, tx -> store.done(tx, home, irrelevant, now.plus(settings.debounce())));
    }
    sendAll(lease, home, relevant, byId, now);
    return due.size() == PRICES_PAGE_SIZE;
  }

  private void sendAll(
      Lease lease,
      Home home,
      List<PriceDebounceStore.Due> rows,
      Map<OfferId, Offer> byId,
      Instant now) {
    AlertStormDetector storms = new AlertStormDetector();
    for (PriceDebounceStore.Due row : rows) {
      storms.count(seller(row, byId), row.offer());
    }
    List<OfferId> deferred = new ArrayList<>();
    for (PriceDebounceStore.Due row : rows) {
      boolean storm = storms.isStorm(seller(row, byId));
      if (storm && !allowsStorms.getAsBoolean()) {
        deferred.add(row.offer());
      } else {
        String topic = storm ? AlertTopics.STORM : AlertTopics.NORMAL;
        sendAlerts(lease, row, Objects.requireNonNull(byId.get(row.offer())), topic, now);
      }
    }
    if (!deferred.isEmpty()) {
      under(lease, tx -> store.postpone(tx, home, deferred, now.plus(STORM_RETRY_INTERVAL)));
    }
  }

  private static AlertReason seller(PriceDebounceStore.Due row, Map<OfferId, Offer> byId) {
    return AlertReason.seller(Objects.requireNonNull(byId.get(row.offer())).getSellerId());
  }

  private static boolean isActive(@Nullable Offer offer) {
    return offer != null && offer.getStatus() == Offer.Status.ACTIVE;
  }

  public boolean sweep(Lease lease, Instant now) {
    for (List<Home> homes : database.shards().split(lease.homes(), home -> home)) {
      under(lease, tx -> store.deleteOld(tx, homes, now.minus(MIN_ALERT_INTERVAL)));
    }
    return false;
  }

  private void sendAlerts(
      Lease lease, PriceDebounceStore.Due due, Offer offer, String topic, Instant now) {
    boolean popular = audiences.saveCount(due.offer()) > settings.popularOfferSavers();
    Instant earliest = due.ranAt().map(ran -> ran.plus(MIN_ALERT_INTERVAL)).orElse(Instant.MIN);
    if (popular && earliest.isAfter(now)) {
      under(lease, tx -> store.postpone(tx, due, earliest));
      return;
    }
    AlertContent content = AlertContent.priceChange(offer, due.changedAt(), former.of(offer));
    List<Member> savers = audiences.savers(due.offer(), "", settings.largeAudience() + 1);
    boolean large = savers.size() > settings.largeAudience();
    if (!large) {
      sink.send(topic, alerts(content, savers));
    }
    under(
        lease,
        tx -> {
          if (large) {
            fanouts.add(tx, List.of(Fanout.ofPrice(content, now)));
          }
          Instant nextRun = now.plus(settings.debounce());
          if (popular) {
            store.doneAndRecorded(tx, due, now, nextRun);
          } else {
            store.done(tx, due.home(), List.of(due), nextRun);
          }
        });
  }

  private static List<Alert> alerts(AlertContent content, List<Member> savers) {
    Set<AlertReason> reasons = Set.of(AlertReason.price(content.offer().toString()));
    return savers.stream()
        .filter(saver -> AlertEligibility.isEligible(content, saver.owner(), saver.createdAt()))
        .map(saver -> new Alert(saver.owner(), content, reasons))
        .toList();
  }

  private interface Writing {
    void run(Tx tx) throws SQLException;
  }

  private void under(Lease lease, Writing writing) {
    database.transact(
        tx -> {
          lease.check(tx);
          writing.run(tx);
        });
  }
}
