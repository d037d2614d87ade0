package dev.torg.alerts.arrive;

import dev.torg.alerts.alert.Alert;
import dev.torg.alerts.alert.AlertSink;
import dev.torg.alerts.alert.AlertTopic;
import dev.torg.alerts.alert.News;
import dev.torg.alerts.alert.Reason;
import dev.torg.alerts.alert.Storms;
import dev.torg.alerts.price.FormerPrices;
import dev.torg.alerts.price.PriceDueStore;
import dev.torg.alerts.price.PriceDueStore.Changed;
import dev.torg.api.v1.Favorite;
import dev.torg.api.v1.FavoriteEvent;
import dev.torg.api.v1.Offer;
import dev.torg.favorites.Features;
import dev.torg.favorites.PriceHash;
import dev.torg.favorites.Queries;
import dev.torg.matching.OfferFeatures;
import dev.torg.matching.Query;
import dev.torg.matching.engine.QueryCheck;
import dev.torg.offers.Offers;
import dev.torg.platform.Failure;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.topics.Event;
import dev.torg.platform.topics.EventHandler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Somebody has begun to follow a seller, subscribe to a search or save an offer, and that has just
/// been projected. Offers handled until now did not find them in their audience, those handled from
/// now on do: so the offers activated since the favorite was saved are looked through here, in the
/// database, and alerts go to this one reader. By stored times alone, so however late the events
/// come, nothing is missed; what is found twice is told once.
///
/// A favorite that was moved to a login is older than its arrival. Its offers went to the anonymous
/// side until then; only those in flight at that moment are looked for.
public final class Arrivals implements EventHandler {
  private static final Logger LOG = LoggerFactory.getLogger(Arrivals.class);

  /// How long an offer may be in flight while a favorite moves: as long as anything may lag.
  private static final Duration IN_FLIGHT = Duration.ofMinutes(15);

  /// Alerts that wait to be sent.
  private static final int ALERTS = 5_000;

  private final Database database;
  private final Offers offers;
  private final AlertSink sink;
  private final Duration debounce;
  private final InstantSource clock;
  private final PriceDueStore prices = new PriceDueStore();

  public Arrivals(
      Database database, Offers offers, AlertSink sink, Duration debounce, InstantSource clock) {
    this.database = database;
    this.offers = offers;
    this.sink = sink;
    this.debounce = debounce;
    this.clock = clock;
  }

  /// A rule of a reader, since when, and the offers it is about.
  private record Arrival(
      String reader, Reason reason, Instant createdAt, Instant lookFrom, Predicate<Seen> test) {
    boolean concerns(Seen seen) {
      return createdAt.isBefore(seen.activatedAt())
          && !reader.equals(seen.offer().getSellerId())
          && test.test(seen);
    }
  }

  /// An offer, analysed once.
  private record Seen(Offer offer, OfferFeatures features) {
    Instant activatedAt() {
      return News.instant(offer.getActivatedAt());
    }
  }

  @Override
  public void handle(List<Event> events) throws Exception {
    List<Arrival> arrivals = new ArrayList<>();
    List<FavoriteEvent> savers = new ArrayList<>();
    for (Event event : events) {
      FavoriteEvent said = FavoriteEvent.parseFrom(event.payload());
      if (said.getAdded() && !said.getRemoved()) {
        if (said.getKind() == Favorite.Kind.OFFER) {
          savers.add(said);
        } else {
          arrival(said).ifPresent(arrivals::add);
        }
      }
    }
    lookThrough(arrivals);
    comparePrices(savers);
  }

  private static Optional<Arrival> arrival(FavoriteEvent said) {
    return switch (said.getKind()) {
      case SEARCH ->
          query(said).map(query -> arrival(said, Reason.search(said.getId()), matches(query)));
      case SELLER -> {
        String seller = said.getId();
        yield Optional.of(
            arrival(
                said, Reason.seller(seller), seen -> seller.equals(seen.offer().getSellerId())));
      }
      case OFFER, NOTE, COLLECTION, KIND_UNSPECIFIED, UNRECOGNIZED -> Optional.empty();
    };
  }

  private static Arrival arrival(FavoriteEvent said, Reason reason, Predicate<Seen> test) {
    Instant created = News.instant(said.getCreatedAt());
    Instant recent = News.instant(said.getAt()).minus(IN_FLIGHT);
    return new Arrival(
        said.getOwner(), reason, created, created.isAfter(recent) ? created : recent, test);
  }

  /// A search that can no longer be read matches nothing, here and in the engine.
  private static Optional<Query> query(FavoriteEvent said) {
    try {
      return Optional.of(Queries.canonical(said.getQuery()));
    } catch (Failure e) {
      LOG.error("search {} cannot be read: {}", said.getId(), e.violations());
      return Optional.empty();
    }
  }

  private static Predicate<Seen> matches(Query query) {
    QueryCheck check = new QueryCheck(query);
    return seen -> check.factsHold(seen.features()) && check.textHolds(seen.features());
  }

  private void lookThrough(List<Arrival> arrivals) {
    Optional<Instant> from = arrivals.stream().map(Arrival::lookFrom).min(Instant::compareTo);
    if (from.isPresent()) {
      List<Alert> alerts = new ArrayList<>();
      Storms storms = new Storms();
      offers.activatedAfter(
          from.get(), onlySellers(arrivals), offer -> look(offer, arrivals, alerts, storms));
      storms.send(sink, alerts);
    }
  }

  /// The sellers to ask for, or none where searches may be about any.
  private static Set<String> onlySellers(List<Arrival> arrivals) {
    boolean searches = arrivals.stream().anyMatch(a -> a.reason.kind() == Reason.Kind.SEARCH);
    return searches
        ? Set.of()
        : arrivals.stream().map(arrival -> arrival.reason.id()).collect(Collectors.toSet());
  }

  private void look(Offer offer, List<Arrival> arrivals, List<Alert> alerts, Storms storms) {
    if (offer.getStatus() != Offer.Status.ACTIVE) {
      return;
    }
    Seen seen = new Seen(offer, Features.of(offer, offers.categories()));
    News news = News.ofNew(offer, seen.activatedAt());
    for (Arrival arrival : arrivals) {
      if (arrival.concerns(seen)) {
        alerts.add(new Alert(arrival.reader, news, Set.of(arrival.reason)));
        storms.add(arrival.reason, news.offer());
      }
    }
    if (alerts.size() >= ALERTS) {
      storms.send(sink, alerts);
      alerts.clear();
    }
  }

  /// A price that changed between saving and now. Where it has not rested, it becomes due, if it is
  /// not: a run for an earlier change may just have gone without this saver.
  private void comparePrices(List<FavoriteEvent> savers) {
    Map<OfferId, Offer> found =
        savers.isEmpty()
            ? Map.of()
            : offers.find(savers.stream().map(s -> OfferId.parse(s.getId())).toList()).join();
    List<Alert> alerts = new ArrayList<>();
    List<Changed> restless = new ArrayList<>();
    for (FavoriteEvent saver : savers) {
      Offer offer = found.get(OfferId.parse(saver.getId()));
      if (offer != null && isNews(saver, offer)) {
        compare(saver.getOwner(), offer, alerts, restless);
      }
    }
    sink.send(AlertTopic.NORMAL, alerts);
    makeDue(restless);
  }

  private void compare(String saver, Offer offer, List<Alert> alerts, List<Changed> restless) {
    FormerPrices former = new FormerPrices(offers);
    Instant changedAt = former.lastChange(offer);
    if (changedAt.plus(debounce).isAfter(clock.instant())) {
      restless.add(new Changed(OfferId.parse(offer.getId()), offer.getVersion(), changedAt));
    } else {
      News news = News.ofPrice(offer, changedAt, former.of(offer));
      alerts.add(new Alert(saver, news, Set.of(Reason.price(offer.getId()))));
    }
  }

  private void makeDue(List<Changed> changes) {
    if (!changes.isEmpty()) {
      database.inTransaction(
          tx -> {
            prices.add(tx, changes, clock.instant().plus(debounce));
            return true;
          });
    }
  }

  private static boolean isNews(FavoriteEvent saver, Offer offer) {
    return offer.getStatus() == Offer.Status.ACTIVE
        && offer.getVersion() > saver.getPriceVersion()
        && PriceHash.of(offer) != saver.getPriceHash()
        && !offer.getSellerId().equals(saver.getOwner());
  }
}
