package dev.torg.alerts.match;

import dev.torg.alerts.alert.Alert;
import dev.torg.alerts.alert.AlertSink;
import dev.torg.alerts.alert.AlertTopic;
import dev.torg.alerts.alert.News;
import dev.torg.alerts.alert.Reason;
import dev.torg.alerts.alert.ReasonChoice;
import dev.torg.alerts.alert.StormSink;
import dev.torg.alerts.fanout.Fanout;
import dev.torg.alerts.fanout.FanoutStore;
import dev.torg.favorites.Audiences;
import dev.torg.favorites.Audiences.Member;
import dev.torg.matching.SearchId;
import dev.torg.platform.db.Database;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Brings news to the people who may care: one alert per reader and offer with all reasons, at once
/// for small audiences; a large one becomes a fan-out. Offers of a seller who is in a storm go another
/// way ([StormSpread]). Blocks until everything is durable.
///
/// **Memory.** Audiences are read 250 at a time, within one offer too, and alerts are sent 5,000 at a
/// time. An offer with more readers than that may send a reader two alerts with different reasons.
final class Spread {
  private static final int MAX_BUFFERED_ALERTS = 5_000;

  private final Database database;
  private final Audiences audiences;
  private final AlertSink sink;
  private final int largeAudience;
  private final InstantSource clock;
  private final SellerRates rates;
  private final StormSpread storms;
  private final FanoutStore fanouts = new FanoutStore();

  Spread(
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
    this.storms = new StormSpread(database, audiences, sink, stormSink, largeAudience, clock);
  }

  /// What belongs to one call of the matcher: it is sent in portions, and searches are counted over all
  /// of them.
  final class Call {
    private final SearchCounts searches = new SearchCounts();

    /// Sends all of them. The caller bounds how many matches they have together.
    void spread(List<Interest> interests) {
      List<Interest> ordinary = new ArrayList<>();
      Map<String, List<Interest>> stormy = new LinkedHashMap<>();
      for (Interest interest : interests) {
        String seller = interest.news().seller();
        (rates.isStorm(seller) ? stormy.computeIfAbsent(seller, _ -> new ArrayList<>()) : ordinary)
            .add(interest);
      }
      ordinary.forEach(interest -> interest.searches().forEach(searches::add));
      new Portions(searches).add(ordinary);
      stormy.forEach(storms::spread);
    }
  }

  Call call() {
    return new Call();
  }

  /// An offer of the seller was handled for the first time.
  void count(String seller) {
    rates.count(seller);
  }

  /// A part of an offer's searches, or all of them; `last` completes the offer.
  private record Portion(
      Interest interest, List<SearchId> searches, boolean followers, boolean last) {
    List<Reason> reasons() {
      List<Reason> reasons = new ArrayList<>();
      searches.forEach(id -> reasons.add(Reason.search(id.hex())));
      if (followers) {
        reasons.add(Reason.seller(interest.news().seller()));
      }
      return reasons;
    }
  }

  /// Sends offers a bounded number of audiences at a time.
  private final class Portions {
    private final SearchCounts counts;
    private final List<Portion> waiting = new ArrayList<>();
    private final Set<SearchId> searches = new HashSet<>();
    private final Set<String> sellers = new HashSet<>();
    private final List<Alert> alerts = new ArrayList<>();
    private final Map<String, ReasonChoice> readers = new LinkedHashMap<>();
    private final Set<Reason> large = new LinkedHashSet<>();
    private final List<Fanout> begun = new ArrayList<>();

    Portions(SearchCounts counts) {
      this.counts = counts;
    }

    void add(List<Interest> interests) {
      interests.forEach(this::add);
      read();
      send();
      begin();
    }

    private void add(Interest interest) {
      List<SearchId> all = interest.searches();
      int from = 0;
      do {
        int room = Recipients.MAX_AUDIENCES_PER_READ - searches.size() - sellers.size() - 1;
        int to = Math.min(all.size(), from + Math.max(1, room));
        boolean last = to == all.size();
        add(new Portion(interest, all.subList(from, to), last && interest.followers(), last));
        from = to;
      } while (from < all.size());
    }

    private void add(Portion portion) {
      waiting.add(portion);
      searches.addAll(portion.searches);
      if (portion.followers) {
        sellers.add(portion.interest.news().seller());
      }
      if (searches.size() + sellers.size() >= Recipients.MAX_AUDIENCES_PER_READ - 1) {
        read();
      }
    }

    private void read() {
      if (!waiting.isEmpty()) {
        Recipients found = Recipients.of(audiences, searches, sellers, largeAudience);
        waiting.forEach(portion -> address(portion, found));
        waiting.clear();
        searches.clear();
        sellers.clear();
      }
    }

    private void address(Portion portion, Recipients found) {
      News news = portion.interest.news();
      for (Reason reason : portion.reasons()) {
        if (found.isLarge(reason)) {
          large.add(reason);
        } else {
          found.of(reason).stream()
              .filter(member -> concerns(news, member))
              .forEach(
                  m ->
                      readers
                          .computeIfAbsent(m.owner(), _ -> new ReasonChoice())
                          .add(reason, m.delivery()));
        }
      }
      if (portion.last || readers.size() >= MAX_BUFFERED_ALERTS) {
        toAlerts(news);
      }
      if (portion.last) {
        Instant now = clock.instant();
        Set<Reason> all = Set.copyOf(large);
        large.forEach(reason -> begun.add(Fanout.of(reason, news, all, now)));
        large.clear();
      }
    }

    private void toAlerts(News news) {
      readers.forEach(
          (reader, own) -> {
            // A member of a large audience too is notified with that reason as well.
            Set<Reason> reasons = own.inOrder(news.offer());
            reasons.addAll(large);
            alerts.add(new Alert(reader, news, reasons));
          });
      readers.clear();
      if (alerts.size() >= MAX_BUFFERED_ALERTS) {
        send();
      }
    }

    private void send() {
      List<Alert> ordinary = new ArrayList<>();
      List<Alert> stormy = new ArrayList<>();
      alerts.forEach(alert -> (isStorm(alert) ? stormy : ordinary).add(alert));
      alerts.clear();
      sink.send(AlertTopic.NORMAL, ordinary);
      sink.send(AlertTopic.STORM, stormy);
    }

    private boolean isStorm(Alert alert) {
      return counts.hasStorms()
          && alert.reasons().stream()
              .anyMatch(
                  reason ->
                      reason.kind() == Reason.Kind.SEARCH
                          && counts.isStorm(SearchId.parse(reason.id())));
    }

    private void begin() {
      if (!begun.isEmpty()) {
        database.inTransaction(
            tx -> {
              fanouts.add(tx, begun);
              return true;
            });
      }
    }
  }

  /// By stored times alone. Whether the reader wants to hear is decided where it is written.
  private static boolean concerns(News news, Member member) {
    return member.createdAt().isBefore(news.activatedAt()) && !member.owner().equals(news.seller());
  }
}
