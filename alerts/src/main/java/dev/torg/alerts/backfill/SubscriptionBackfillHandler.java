package dev.torg.alerts.backfill;

import dev.torg.alerts.AlertTopics;
import dev.torg.alerts.eligibility.AlertEligibility;
import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.event.AlertReason;
import dev.torg.alerts.event.AlertSink;
import dev.torg.alerts.price.FormerPrices;
import dev.torg.alerts.price.PriceDebounceStore;
import dev.torg.alerts.price.PriceDebounceStore.Changed;
import dev.torg.api.v1.Favorite;
import dev.torg.api.v1.FavoriteEvent;
import dev.torg.api.v1.Offer;
import dev.torg.offers.Offers;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.EachShard;
import dev.torg.platform.kafka.Event;
import dev.torg.platform.kafka.EventHandler;
import dev.torg.queries.PriceHash;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Runs after the projection of savers. A price change between the saving and its projection was sent to
/// an audience without this saver, who is notified here. New followers and subscribers are served by
/// [BackfillJob].
public final class SubscriptionBackfillHandler implements EventHandler {
  private final Database database;
  private final Offers offers;
  private final AlertSink sink;
  private final Duration debounce;
  private final InstantSource clock;
  private final PriceDebounceStore prices = new PriceDebounceStore();

  public SubscriptionBackfillHandler(
      Database database, Offers offers, AlertSink sink, Duration debounce, InstantSource clock) {
    this.database = database;
    this.offers = offers;
    this.sink = sink;
    this.debounce = debounce;
    this.clock = clock;
  }

  @Override
  public void handle(List<Event> events) throws Exception {
    List<FavoriteEvent> savers = new ArrayList<>();
    for (Event event : events) {
      FavoriteEvent favorite = FavoriteEvent.parseFrom(event.payload());
      boolean added = favorite.getAdded() && !favorite.getRemoved();
      if (added && favorite.getKind() == Favorite.Kind.OFFER) {
        savers.add(favorite);
      }
    }
    comparePrices(savers);
  }

  /// Compares the current prices with those at the time of saving. A price that changed within the
  /// debounce time is made due, if it is not: a run for an earlier change may just have missed this
  /// saver.
  private void comparePrices(List<FavoriteEvent> savers) {
    Map<OfferId, Offer> byId =
        savers.isEmpty()
            ? Map.of()
            : offers.find(savers.stream().map(s -> OfferId.parse(s.getId())).toList()).join();
    List<Alert> alerts = new ArrayList<>();
    List<Changed> unsettled = new ArrayList<>();
    for (FavoriteEvent saver : savers) {
      Offer offer = byId.get(OfferId.parse(saver.getId()));
      if (offer != null && isNewPrice(saver, offer)) {
        compare(saver.getOwner(), offer, alerts, unsettled);
      }
    }
    sink.send(AlertTopics.NORMAL, alerts);
    schedule(unsettled);
  }

  private void compare(String saver, Offer offer, List<Alert> alerts, List<Changed> unsettled) {
    FormerPrices former = new FormerPrices(offers);
    Instant changedAt = former.lastChange(offer);
    if (changedAt.plus(debounce).isAfter(clock.instant())) {
      unsettled.add(new Changed(OfferId.parse(offer.getId()), offer.getVersion(), changedAt));
    } else {
      AlertContent content = AlertContent.priceChange(offer, changedAt, former.of(offer));
      alerts.add(new Alert(saver, content, Set.of(AlertReason.price(offer.getId()))));
    }
  }

  private void schedule(List<Changed> changes) {
    Instant runAt = clock.instant().plus(debounce);
    EachShard.run(
        database.shards().split(changes, change -> change.offer().home()),
        shard -> database.transact(tx -> prices.add(tx, shard, runAt)));
  }

  private static boolean isNewPrice(FavoriteEvent saver, Offer offer) {
    return offer.getStatus() == Offer.Status.ACTIVE
        && offer.getVersion() > saver.getPriceVersion()
        && PriceHash.of(offer) != saver.getPriceHash()
        && !AlertEligibility.isOwnOffer(offer.getSellerId(), saver.getOwner());
  }
}
