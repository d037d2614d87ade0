package dev.torg.alerts.match;

import dev.torg.alerts.eligibility.AlertEligibility;
import dev.torg.alerts.engine.EngineView;
import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.event.AlertSettings;
import dev.torg.alerts.event.AlertSink;
import dev.torg.alerts.event.StormSink;
import dev.torg.alerts.fanout.Fanout;
import dev.torg.alerts.fanout.FanoutStore;
import dev.torg.alerts.price.PriceDebounceStore;
import dev.torg.favorites.Audiences;
import dev.torg.matching.SearchId;
import dev.torg.matching.engine.Engine;
import dev.torg.matching.engine.Matches;
import dev.torg.offers.Offers;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.EachShard;
import dev.torg.platform.kafka.Event;
import dev.torg.platform.kafka.EventHandler;
import dev.torg.platform.kafka.PartitionListener;
import dev.torg.queries.OfferFeatureExtractor;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Consumes `torg.offers` and creates alerts, price checks and withdrawals. All its effects may be
/// repeated.
///
/// **An assigned partition** is replayed from 15 minutes before the last event handled in it: its former
/// owner, however long ago, may not have known a search that this process knows. Of the replayed events
/// only matches with searches of that age are sent; the former owner has done everything else.
public final class OfferMatchingConsumer implements EventHandler, PartitionListener {
  private final Database database;
  private final Offers offers;
  private final Audiences audiences;
  private final EngineView engineView;
  private final RecentOffersWindow recentOffers;
  private final AlertDispatcher dispatcher;
  private final AlertSettings settings;
  private final InstantSource clock;
  private final MatchMetrics metrics;
  private final PriceDebounceStore prices = new PriceDebounceStore();
  private final FanoutStore fanouts = new FanoutStore();

  /// What the consumer uses.
  public record Dependencies(
      Database database,
      Offers offers,
      Audiences audiences,
      AlertSink alerts,
      StormSink storms,
      InstantSource clock,
      MeterRegistry registry) {}

  public OfferMatchingConsumer(
      Dependencies dependencies, EngineView engineView, AlertSettings settings) {
    this.database = dependencies.database();
    this.offers = dependencies.offers();
    this.audiences = dependencies.audiences();
    this.engineView = engineView;
    this.settings = settings;
    this.clock = dependencies.clock();
    this.metrics = new MatchMetrics(dependencies.registry());
    this.recentOffers = new RecentOffersWindow(clock, settings.windowBytes());
    this.dispatcher =
        new AlertDispatcher(
            database,
            audiences,
            dependencies.alerts(),
            dependencies.storms(),
            settings.largeAudience(),
            clock);
  }

  /// Matches new searches against the recent offers of this consumer.
  public SearchBackfill searchBackfill() {
    return new SearchBackfill(offers, recentOffers, dispatcher, metrics);
  }

  /// The number of partitions assigned to this process.
  public int partitions() {
    return recentOffers.partitions();
  }

  @Override
  public void onAssigned(Assignment partition) {
    recentOffers.assign(partition.partition());
    Instant now = clock.instant();
    Instant last = partition.lastHandled().filter(now::isAfter).orElse(now);
    partition.seekBack(last.minus(RecentOffersWindow.WINDOW));
  }

  @Override
  public void onRevoked(String topic, int partition) {
    recentOffers.revoke(partition);
  }

  @Override
  public void handle(List<Event> events) throws Exception {
    Matched matched = new Matched(dispatcher.call());
    List<PriceDebounceStore.Changed> repriced = new ArrayList<>();
    List<Fanout> withdrawals = new ArrayList<>();
    for (Event event : events) {
      Optional<OfferChange> change = OfferChange.parse(event.payload());
      if (change.isPresent()) {
        match(event, change.get()).ifPresent(matched::add);
        if (!event.replayed()) {
          record(change.get(), repriced, withdrawals);
        }
      }
    }
    matched.send();
    recordPrices(repriced);
    recordBans(withdrawals);
  }

  /// Buffered matches. Their number is bounded: of a backlog of offers that match thousands of searches
  /// each, only a part is in memory.
  private static final class Matched {
    private static final int MAX_BUFFERED_MATCHES = 20_000;

    private final AlertDispatcher.Call call;
    private final List<OfferMatch> buffered = new ArrayList<>();
    private int matches;

    Matched(AlertDispatcher.Call call) {
      this.call = call;
    }

    void add(OfferMatch match) {
      buffered.add(match);
      matches += 1 + match.searches().size();
      if (matches >= MAX_BUFFERED_MATCHES) {
        send();
      }
    }

    void send() {
      call.dispatch(buffered);
      buffered.clear();
      matches = 0;
    }
  }

  /// Retains what is needed of the change, not the offer.
  private void record(
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

  private Optional<OfferMatch> match(Event event, OfferChange change) {
    boolean becomesActive = change.becomesActive();
    if (change.silent() || !(becomesActive || change.isEdited()) || isOld(change)) {
      return Optional.empty();
    }
    AlertContent content = AlertContent.newOffer(change.after(), change.at());
    recentOffers.add(event.partition(), content, event.payload());
    List<SearchId> matches =
        event.replayed()
            ? recentMatches(change)
            : becomesActive ? matches(change) : newMatches(change);
    OfferMatch match = new OfferMatch(content, matches, becomesActive && !event.replayed());
    if (!event.replayed()) {
      dispatcher.countOffer(content.seller());
    }
    return match.isEmpty() ? Optional.empty() : Optional.of(match);
  }

  private boolean isOld(OfferChange change) {
    Instant activated = EpochMicros.instant(change.after().getActivatedAt());
    return AlertEligibility.isTooOld(activated, clock.instant());
  }

  private List<SearchId> matches(OfferChange change) {
    Matches matches =
        engineView
            .engine()
            .match(OfferFeatureExtractor.of(change.after(), offers.categories()::parent));
    metrics.matched(matches);
    return matches.ids();
  }

  /// Searches that match now and did not before.
  private List<SearchId> newMatches(OfferChange change) {
    Engine engine = engineView.engine();
    Matches after =
        engine.rematch(OfferFeatureExtractor.of(change.after(), offers.categories()::parent));
    metrics.matched(after);
    if (after.size() == 0 || change.before().isEmpty()) {
      return after.ids();
    }
    Matches before =
        engine.rematch(
            OfferFeatureExtractor.of(change.before().get(), offers.categories()::parent));
    Set<SearchId> matchedBefore = new HashSet<>(before.ids());
    return after.ids().stream().filter(id -> !matchedBefore.contains(id)).toList();
  }

  /// Searches that the partition's former owner may not have known.
  private List<SearchId> recentMatches(OfferChange change) {
    Matches matches =
        engineView
            .engine()
            .rematch(OfferFeatureExtractor.of(change.after(), offers.categories()::parent));
    return matches.ids().stream().filter(engineView::isRecent).toList();
  }

  /// Records changed prices, and prices of reactivated offers, if the offer has savers. The price of a
  /// saver who is not projected yet is compared after the projection ([dev.torg.alerts.backfill]).
  private void recordPrices(List<PriceDebounceStore.Changed> repriced) {
    Set<OfferId> saved =
        audiences.saved(repriced.stream().map(PriceDebounceStore.Changed::offer).toList());
    List<PriceDebounceStore.Changed> changed =
        repriced.stream().filter(change -> saved.contains(change.offer())).toList();
    Instant runAt = clock.instant().plus(settings.debounce());
    EachShard.run(
        database.shards().split(changed, change -> change.offer().home()),
        shard -> database.transact(tx -> prices.add(tx, shard, runAt)));
  }

  private void recordBans(List<Fanout> withdrawals) {
    EachShard.run(
        database.shards().split(withdrawals, Fanout::home),
        shard -> database.transact(tx -> fanouts.add(tx, shard)));
  }
}
