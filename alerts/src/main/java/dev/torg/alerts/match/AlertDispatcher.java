package dev.torg.alerts.match;

import dev.torg.alerts.AlertTopics;
import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.event.AlertReason;
import dev.torg.alerts.event.AlertSink;
import dev.torg.alerts.event.StormSink;
import dev.torg.alerts.fanout.Fanout;
import dev.torg.alerts.fanout.FanoutStore;
import dev.torg.favorites.Audiences;
import dev.torg.matching.SearchId;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.EachShard;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Sends alerts to audiences: one alert per recipient and offer with all reasons, directly for small
/// audiences; a large one becomes a fan-out. Offers of a seller in a storm are sent by [StormDispatcher].
/// Blocks until everything is durable.
///
/// **Memory.** Audiences are read 250 at a time, within one offer too, and alerts are sent 5,000 at a
/// time. Of a recipient's reasons only those that the alert names are buffered ([OfferRecipients]). An
/// offer with more than 5,000 recipients may send a recipient two alerts with different reasons.
final class AlertDispatcher {
  private static final int MAX_BUFFERED_ALERTS = 5_000;

  private final Database database;
  private final Audiences audiences;
  private final AlertSink sink;
  private final int largeAudience;
  private final InstantSource clock;
  private final SellerRates rates;
  private final StormDispatcher storms;
  private final FanoutStore fanouts = new FanoutStore();

  AlertDispatcher(
      Database database,
      Audiences audiences,
      AlertSink sink,
      StormSink stormSink,
      int largeAudience,
      InstantSource clock) {
    this.database = database;
    this.audiences = audiences;
    this.sink = sink;
    this.largeAudience = largeAudience;
    this.clock = clock;
    this.rates = new SellerRates(clock);
    this.storms = new StormDispatcher(database, audiences, sink, stormSink, largeAudience, clock);
  }

  /// One call of the matcher: it is sent in portions, and searches are counted over all of them.
  final class Call {
    private final SearchMatchCounts searches = new SearchMatchCounts();

    /// Sends these matches. The caller bounds their number.
    void dispatch(List<OfferMatch> matches) {
      List<OfferMatch> ordinary = new ArrayList<>();
      Map<String, List<OfferMatch>> stormy = new LinkedHashMap<>();
      for (OfferMatch match : matches) {
        String seller = match.content().seller();
        (rates.isStorm(seller) ? stormy.computeIfAbsent(seller, _ -> new ArrayList<>()) : ordinary)
            .add(match);
      }
      ordinary.forEach(match -> match.searches().forEach(searches::add));
      new Portions(searches).add(ordinary);
      stormy.forEach(storms::dispatch);
    }
  }

  Call call() {
    return new Call();
  }

  /// Counts an offer of the seller, when it is handled for the first time.
  void countOffer(String seller) {
    rates.count(seller);
  }

  /// A part of an offer's searches, or all of them; `last` completes the offer.
  private record Portion(
      OfferMatch match, List<SearchId> searches, boolean followers, boolean last) {
    List<AlertReason> reasons() {
      List<AlertReason> reasons = new ArrayList<>();
      searches.forEach(id -> reasons.add(AlertReason.search(id.hex())));
      if (followers) {
        reasons.add(AlertReason.seller(match.content().seller()));
      }
      return reasons;
    }
  }

  /// Sends offers with a bounded number of audiences at a time.
  private final class Portions {
    private final SearchMatchCounts counts;
    private final List<Portion> waiting = new ArrayList<>();
    private final Set<SearchId> searches = new HashSet<>();
    private final Set<String> sellers = new HashSet<>();
    private final List<Alert> alerts = new ArrayList<>();
    private final OfferRecipients recipients = new OfferRecipients();
    private final Set<AlertReason> large = new LinkedHashSet<>();
    private final List<Fanout> started = new ArrayList<>();

    Portions(SearchMatchCounts counts) {
      this.counts = counts;
    }

    void add(List<OfferMatch> matches) {
      matches.forEach(this::add);
      read();
      send();
      begin();
    }

    private void add(OfferMatch match) {
      List<SearchId> all = match.searches();
      int from = 0;
      do {
        int capacity = Recipients.MAX_AUDIENCES_PER_READ - searches.size() - sellers.size() - 1;
        int to = Math.min(all.size(), from + Math.max(1, capacity));
        boolean last = to == all.size();
        add(new Portion(match, all.subList(from, to), last && match.followers(), last));
        from = to;
      } while (from < all.size());
    }

    private void add(Portion portion) {
      waiting.add(portion);
      searches.addAll(portion.searches);
      if (portion.followers) {
        sellers.add(portion.match.content().seller());
      }
      if (searches.size() + sellers.size() >= Recipients.MAX_AUDIENCES_PER_READ - 1) {
        read();
      }
    }

    private void read() {
      if (!waiting.isEmpty()) {
        Recipients audience = Recipients.of(audiences, searches, sellers, largeAudience);
        waiting.forEach(portion -> resolveRecipients(portion, audience));
        waiting.clear();
        searches.clear();
        sellers.clear();
      }
    }

    private void resolveRecipients(Portion portion, Recipients audience) {
      AlertContent content = portion.match.content();
      List<AlertReason> small = new ArrayList<>();
      portion.reasons().forEach(reason -> (audience.isLarge(reason) ? large : small).add(reason));
      for (AlertReason reason : small) {
        recipients.add(content, reason, audience.of(reason));
        if (recipients.isFull()) {
          toAlerts(content);
        }
      }
      if (portion.last) {
        toAlerts(content);
        startFanouts(content);
      }
    }

    private void startFanouts(AlertContent content) {
      Instant now = clock.instant();
      Set<AlertReason> all = Set.copyOf(large);
      large.forEach(reason -> started.add(Fanout.of(reason, content, all, now)));
      large.clear();
    }

    /// A member of a large audience too is notified with that reason as well.
    private void toAlerts(AlertContent content) {
      alerts.addAll(recipients.drain(content, large));
      if (alerts.size() >= MAX_BUFFERED_ALERTS) {
        send();
      }
    }

    private void send() {
      List<Alert> ordinary = new ArrayList<>();
      List<Alert> stormy = new ArrayList<>();
      alerts.forEach(alert -> (isStorm(alert) ? stormy : ordinary).add(alert));
      alerts.clear();
      sink.send(AlertTopics.NORMAL, ordinary);
      sink.send(AlertTopics.STORM, stormy);
    }

    private boolean isStorm(Alert alert) {
      return counts.hasStorms()
          && alert.reasons().stream()
              .anyMatch(
                  reason ->
                      reason.kind() == AlertReason.Kind.SEARCH
                          && counts.isStorm(SearchId.parse(reason.id())));
    }

    private void begin() {
      EachShard.run(
          database.shards().split(started, Fanout::home),
          shard -> database.transact(tx -> fanouts.add(tx, shard)));
    }
  }
}
