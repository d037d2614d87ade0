package dev.torg.alerts.match;

import dev.torg.alerts.AlertSettings;
import dev.torg.alerts.alert.AlertSink;
import dev.torg.alerts.alert.News;
import dev.torg.alerts.alert.StormSink;
import dev.torg.alerts.engine.Searches;
import dev.torg.alerts.fanout.Fanout;
import dev.torg.alerts.fanout.FanoutStore;
import dev.torg.alerts.price.PriceDueStore;
import dev.torg.favorites.Audiences;
import dev.torg.favorites.Features;
import dev.torg.matching.SearchId;
import dev.torg.matching.engine.Engine;
import dev.torg.matching.engine.Matches;
import dev.torg.offers.Offers;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.topics.Event;
import dev.torg.platform.topics.EventHandler;
import dev.torg.platform.topics.PartitionHook;
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
public final class MatchOffers implements EventHandler, PartitionHook {
  /// An offer first activated longer ago is new to nobody.
  public static final Duration NEW_FOR = Duration.ofDays(120);

  private final Database database;
  private final Offers offers;
  private final Audiences audiences;
  private final Searches searches;
  private final Windows windows;
  private final Spread spread;
  private final AlertSettings settings;
  private final InstantSource clock;
  private final MatchMeters meters;
  private final PriceDueStore prices = new PriceDueStore();
  private final FanoutStore fanouts = new FanoutStore();

  /// What it needs of others.
  public record Needs(
      Database database,
      Offers offers,
      Audiences audiences,
      AlertSink alerts,
      StormSink storms,
      InstantSource clock,
      MeterRegistry registry) {}

  public MatchOffers(Needs needs, Searches searches, AlertSettings settings) {
    this.database = needs.database();
    this.offers = needs.offers();
    this.audiences = needs.audiences();
    this.searches = searches;
    this.settings = settings;
    this.clock = needs.clock();
    this.meters = new MatchMeters(needs.registry());
    this.windows = new Windows(clock, settings.windowBytes());
    this.spread =
        new Spread(
            database, audiences, needs.alerts(), needs.storms(), settings.largeAudience(), clock);
  }

  /// Those who match new searches against what is kept here.
  public LateSearches lateSearches() {
    return new LateSearches(offers, windows, spread, meters);
  }

  /// How many partitions this process holds now.
  public int partitions() {
    return windows.partitions();
  }

  @Override
  public void taken(Taken partition) {
    windows.take(partition.partition());
    Instant now = clock.instant();
    Instant last = partition.lastHandled().filter(now::isAfter).orElse(now);
    partition.rewind(last.minus(Windows.LENGTH));
  }

  @Override
  public void left(String topic, int partition) {
    windows.leave(partition);
  }

  @Override
  public void handle(List<Event> events) throws Exception {
    Matched matched = new Matched(spread.call());
    List<PriceDueStore.Changed> repriced = new ArrayList<>();
    List<Fanout> withdrawals = new ArrayList<>();
    for (Event event : events) {
      Optional<OfferChange> change = OfferChange.parse(event.payload());
      if (change.isPresent()) {
        interest(event, change.get()).ifPresent(matched::add);
        if (!event.reread()) {
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

    private final Spread.Call call;
    private final List<Interest> interests = new ArrayList<>();
    private int matches;

    Matched(Spread.Call call) {
      this.call = call;
    }

    void add(Interest interest) {
      interests.add(interest);
      matches += 1 + interest.searches().size();
      if (matches >= MAX_BUFFERED_MATCHES) {
        send();
      }
    }

    void send() {
      call.spread(interests);
      interests.clear();
      matches = 0;
    }
  }

  /// Keeps what is needed of the change, not the offer.
  private void note(
      OfferChange change, List<PriceDueStore.Changed> repriced, List<Fanout> withdrawals) {
    if (change.changesPrice() || change.returns()) {
      repriced.add(
          new PriceDueStore.Changed(
              OfferId.parse(change.after().getId()), change.after().getVersion(), change.at()));
    }
    if (change.isBanned()) {
      withdrawals.add(Fanout.withdrawal(News.ofNew(change.after(), change.at()), clock.instant()));
    }
  }

  private Optional<Interest> interest(Event event, OfferChange change) {
    boolean enters = change.enters();
    if (change.silent() || !(enters || change.isEdited()) || isOld(change)) {
      return Optional.empty();
    }
    News news = News.ofNew(change.after(), change.at());
    windows.keep(event.partition(), news, event.payload());
    List<SearchId> found =
        event.reread() ? youngMatches(change) : enters ? matches(change) : newMatches(change);
    Interest interest = new Interest(news, found, enters && !event.reread());
    if (!event.reread()) {
      spread.count(news.seller());
    }
    return interest.isNobody() ? Optional.empty() : Optional.of(interest);
  }

  private boolean isOld(OfferChange change) {
    Instant activated = News.instant(change.after().getActivatedAt());
    return activated.isBefore(clock.instant().minus(NEW_FOR));
  }

  private List<SearchId> matches(OfferChange change) {
    Matches found = searches.engine().match(Features.of(change.after(), offers.categories()));
    meters.matched(found);
    return found.ids();
  }

  /// Those that match now and did not before.
  private List<SearchId> newMatches(OfferChange change) {
    Engine engine = searches.engine();
    Matches after = engine.rematch(Features.of(change.after(), offers.categories()));
    meters.matched(after);
    if (after.size() == 0 || change.before().isEmpty()) {
      return after.ids();
    }
    Matches before = engine.rematch(Features.of(change.before().get(), offers.categories()));
    Set<SearchId> known = new HashSet<>(before.ids());
    return after.ids().stream().filter(id -> !known.contains(id)).toList();
  }

  /// Those that the partition's former owner may not have known.
  private List<SearchId> youngMatches(OfferChange change) {
    Matches found = searches.engine().rematch(Features.of(change.after(), offers.categories()));
    return found.ids().stream().filter(searches::isYoung).toList();
  }

  /// Prices that have changed, and those of offers that are active again, if anybody saved them. A
  /// saver who is not projected yet compares the price on arrival ([dev.torg.alerts.arrive]).
  private void notePrices(List<PriceDueStore.Changed> repriced) {
    Set<OfferId> saved =
        audiences.saved(repriced.stream().map(PriceDueStore.Changed::offer).toList());
    List<PriceDueStore.Changed> changed =
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
