package dev.torg.alerts.match;

import dev.torg.alerts.engine.EngineView;
import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.event.AlertSettings;
import dev.torg.alerts.event.AlertSink;
import dev.torg.alerts.event.StormSink;
import dev.torg.alerts.fanout.Fanout;
import dev.torg.alerts.fanout.FanoutStore;
import dev.torg.alerts.price.PriceDebounceStore;
import dev.torg.favorites.Audiences;
import dev.torg.favorites.OfferFeatureExtractor;
import dev.torg.matching.SearchId;
import dev.torg.matching.engine.Engine;
import dev.torg.matching.engine.Matches;
import dev.torg.offers.Offers;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.kafka.Event;
import dev.torg.platform.kafka.EventHandler;
import dev.torg.platform.kafka.PartitionListener;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Turns events of offers into alerts, price runs and withdrawals. Everything it leaves behind may be
/// left twice.
///
/// **A partition that is taken** is read again from 15 minutes before the last event handled in it: its
/// former owner, however long ago that was, may not have known a search that this process knows. Of
/// what is read again only matches with searches that are that young are sent; all else the former
/// owner has done.
public final class OfferMatchingConsumer implements EventHandler, PartitionListener {
  /// An offer first activated longer ago is new to nobody.
  public static final Duration MAX_OFFER_AGE = Duration.ofDays(120);

  private final Database database;
  private final Offers offers;
  private final Audiences audiences;
  private final EngineView searches;
  private final RecentOffersWindow windows;
  private final AlertDispatcher spread;
  private final AlertSettings settings;
  private final InstantSource clock;
  private final MatchMetrics metrics;
  private final PriceDebounceStore prices = new PriceDebounceStore();
  private final FanoutStore fanouts = new FanoutStore();

  /// What it needs of others.
  public record Dependencies(
      Database database,
      Offers offers,
      Audiences audiences,
      AlertSink alerts,
      StormSink storms,
      InstantSource clock,
      MeterRegistry registry) {}

  public OfferMatchingConsumer(Dependencies needs, EngineView searches, AlertSettings settings) {
    this.database = needs.database();
    this.offers = needs.offers();
    this.audiences = needs.audiences();
    this.searches = searches;
    this.settings = settings;
    this.clock = needs.clock();
    this.metrics = new MatchMetrics(needs.registry());
    this.windows = new RecentOffersWindow(clock, settings.windowBytes());
    this.spread =
        new AlertDispatcher(
            database, audiences, needs.alerts(), needs.storms(), settings.largeAudience(), clock);
  }

  /// Those who match new searches against what is kept here.
  public SearchBackfill searchBackfill() {
    return new SearchBackfill(offers, windows, spread, metrics);
  }

  /// How many partitions this process holds now.
  public int partitions() {
    return windows.partitions();
  }

  @Override
  public void onAssigned(Assignment partition) {
    windows.assign(partition.partition());
    Instant now = clock.instant();
    Instant last = partition.lastHandled().filter(now::isAfter).orElse(now);
    partition.seekBack(last.minus(RecentOffersWindow.WINDOW));
  }

  @Override
  public void onRevoked(String topic, int partition) {
    windows.revoke(partition);
  }

  @Override
  public void handle(List<Event> events) throws Exception {
    Matched matched = new Matched(spread.call());
    List<PriceDebounceStore.Changed> repriced = new ArrayList<>();
    List<Fanout> withdrawals = new ArrayList<>();
    for (Event event : events) {
      Optional<OfferChange> change = OfferChange.parse(event.payload());
      if (change.isPresent()) {
        interest(event, change.get()).ifPresent(matched::add);
        if (!event.replayed()) {
          note(change.get(), repriced, withdrawals);
        }
      }
    }
    matched.send();
    notePrices(repriced);
    noteBans(withdrawals);
  }

  /// Matches that wait to be sent, and how many there may be: of a backlog of offers that match
  /// thousands of searches each, only so many are in memory.
  private static final class Matched {
    private static final int MAX_BUFFERED_MATCHES = 20_000;

    private final AlertDispatcher.Call call;
    private final List<OfferMatch> interests = new ArrayList<>();
    private int matches;

    Matched(AlertDispatcher.Call call) {
      this.call = call;
    }

    void add(OfferMatch interest) {
      interests.add(interest);
      matches += 1 + interest.searches().size();
      if (matches >= MAX_BUFFERED_MATCHES) {
        send();
      }
    }

    void send() {
      call.dispatch(interests);
      interests.clear();
      matches = 0;
    }
  }

  /// Keeps what is needed of the change, not the offer.
  private void note(
      OfferChange change, List<PriceDebounceStore.Changed> repriced, List<Fanout> withdrawals) {
    if (change.changesPrice() || change.isReactivated()) {
      repriced.add(
          new PriceDebounceStore.Changed(
              OfferId.parse(change.after().getId()), change.after().getVersion(), change.at()));
    }
    if (change.isBanned()) {
      withdrawals.add(
          Fanout.withdrawal(AlertContent.newOffer(change.after(), change.at()), clock.instant()));
    }
  }

  private Optional<OfferMatch> interest(Event event, OfferChange change) {
    boolean enters = change.becomesActive();
    if (change.silent() || !(enters || change.isEdited()) || isOld(change)) {
      return Optional.empty();
    }
    AlertContent news = AlertContent.newOffer(change.after(), change.at());
    windows.keep(event.partition(), news, event.payload());
    List<SearchId> found =
        event.replayed() ? recentMatches(change) : enters ? matches(change) : newMatches(change);
    OfferMatch interest = new OfferMatch(news, found, enters && !event.replayed());
    if (!event.replayed()) {
      spread.countOffer(news.seller());
    }
    return interest.isEmpty() ? Optional.empty() : Optional.of(interest);
  }

  private boolean isOld(OfferChange change) {
    Instant activated = AlertContent.instant(change.after().getActivatedAt());
    return activated.isBefore(clock.instant().minus(MAX_OFFER_AGE));
  }

  private List<SearchId> matches(OfferChange change) {
    Matches found =
        searches.engine().match(OfferFeatureExtractor.of(change.after(), offers.categories()));
    metrics.matched(found);
    return found.ids();
  }

  /// Those that match now and did not before.
  private List<SearchId> newMatches(OfferChange change) {
    Engine engine = searches.engine();
    Matches after = engine.rematch(OfferFeatureExtractor.of(change.after(), offers.categories()));
    metrics.matched(after);
    if (after.size() == 0 || change.before().isEmpty()) {
      return after.ids();
    }
    Matches before =
        engine.rematch(OfferFeatureExtractor.of(change.before().get(), offers.categories()));
    Set<SearchId> known = new HashSet<>(before.ids());
    return after.ids().stream().filter(id -> !known.contains(id)).toList();
  }

  /// Those that the partition's former owner may not have known.
  private List<SearchId> recentMatches(OfferChange change) {
    Matches found =
        searches.engine().rematch(OfferFeatureExtractor.of(change.after(), offers.categories()));
    return found.ids().stream().filter(searches::isRecent).toList();
  }

  /// Prices that have changed, and those of offers that are active again, if anybody saved them. A
  /// saver who is not projected yet compares the price on arrival ([dev.torg.alerts.backfill]).
  private void notePrices(List<PriceDebounceStore.Changed> repriced) {
    Set<OfferId> saved =
        audiences.saved(repriced.stream().map(PriceDebounceStore.Changed::offer).toList());
    List<PriceDebounceStore.Changed> changed =
        repriced.stream().filter(one -> saved.contains(one.offer())).toList();
    if (!changed.isEmpty()) {
      Instant runAt = clock.instant().plus(settings.debounce());
      database.inTransaction(
          tx -> {
            prices.add(tx, changed, runAt);
            return true;
          });
    }
  }

  private void noteBans(List<Fanout> withdrawals) {
    if (!withdrawals.isEmpty()) {
      database.inTransaction(
          tx -> {
            fanouts.add(tx, withdrawals);
            return true;
          });
    }
  }
}
