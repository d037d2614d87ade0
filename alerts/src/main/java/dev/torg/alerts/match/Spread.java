package dev.torg.alerts.match;

import dev.torg.alerts.alert.Alert;
import dev.torg.alerts.alert.AlertSink;
import dev.torg.alerts.alert.News;
import dev.torg.alerts.alert.Reason;
import dev.torg.alerts.alert.ReasonChoice;
import dev.torg.alerts.alert.Storms;
import dev.torg.alerts.fanout.Fanout;
import dev.torg.alerts.fanout.FanoutStore;
import dev.torg.favorites.Audiences;
import dev.torg.favorites.Audiences.Member;
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
/// for small audiences; a large one becomes a fan-out. The audiences of many offers are read with two
/// statements, and no more of them than memory has room for, whatever backlog there is. Blocks until
/// everything is durable.
final class Spread {
  /// Audiences read at once: each may have a thousand members.
  private static final int AUDIENCES = 250;

  /// Alerts that wait to be sent.
  private static final int ALERTS = 5_000;

  private final Database database;
  private final Audiences audiences;
  private final AlertSink sink;
  private final int largeAudience;
  private final InstantSource clock;
  private final FanoutStore fanouts = new FanoutStore();

  Spread(
      Database database,
      Audiences audiences,
      AlertSink sink,
      int largeAudience,
      InstantSource clock) {
    this.database = database;
    this.audiences = audiences;
    this.sink = sink;
    this.largeAudience = largeAudience;
    this.clock = clock;
  }

  void spread(List<Interest> interests) {
    Storms storms = storms(interests);
    List<Interest> some = new ArrayList<>();
    Set<Reason> targets = new HashSet<>();
    for (Interest interest : interests) {
      if (!some.isEmpty() && targets.size() + interest.searches().size() >= AUDIENCES) {
        spreadSome(some, storms);
        some.clear();
        targets.clear();
      }
      some.add(interest);
      targets.addAll(reasons(interest));
    }
    if (!some.isEmpty()) {
      spreadSome(some, storms);
    }
  }

  private static Storms storms(List<Interest> interests) {
    Storms storms = new Storms();
    for (Interest interest : interests) {
      reasons(interest).forEach(reason -> storms.add(reason, interest.news().offer()));
    }
    return storms;
  }

  private void spreadSome(List<Interest> interests, Storms storms) {
    Found found = find(interests);
    List<Alert> alerts = new ArrayList<>();
    List<Fanout> large = new ArrayList<>();
    for (Interest interest : interests) {
      address(interest, found, alerts, large);
      if (alerts.size() >= ALERTS) {
        storms.send(sink, alerts);
        alerts.clear();
      }
    }
    storms.send(sink, alerts);
    if (!large.isEmpty()) {
      database.inTransaction(
          tx -> {
            fanouts.add(tx, large);
            return true;
          });
    }
  }

  private Found find(List<Interest> interests) {
    Set<String> searches = new HashSet<>();
    Set<String> sellers = new HashSet<>();
    for (Interest interest : interests) {
      searches.addAll(interest.searches());
      if (interest.followers()) {
        sellers.add(interest.news().seller());
      }
    }
    return new Found(
        audiences.subscribers(searches, largeAudience + 1),
        audiences.followers(sellers, largeAudience + 1));
  }

  /// The first members of each audience, one more than is small.
  private record Found(Map<String, List<Member>> subscribers, Map<String, List<Member>> followers) {
    List<Member> of(Reason reason) {
      Map<String, List<Member>> all = reason.kind() == Reason.Kind.SEARCH ? subscribers : followers;
      return all.getOrDefault(reason.id(), List.of());
    }
  }

  private void address(Interest interest, Found found, List<Alert> alerts, List<Fanout> begun) {
    News news = interest.news();
    Set<Reason> large = new LinkedHashSet<>();
    Map<String, ReasonChoice> readers = new LinkedHashMap<>();
    for (Reason reason : reasons(interest)) {
      List<Member> members = found.of(reason);
      if (members.size() > largeAudience) {
        large.add(reason);
      } else {
        members.stream()
            .filter(member -> concerns(news, member))
            .forEach(
                m ->
                    readers
                        .computeIfAbsent(m.owner(), _ -> new ReasonChoice())
                        .add(reason, m.delivery()));
      }
    }
    Instant now = clock.instant();
    large.forEach(reason -> begun.add(Fanout.of(reason, news, large, now)));
    readers.forEach(
        (reader, own) -> {
          // A member of a large audience too is notified with that reason as well.
          Set<Reason> reasons = own.inOrder(news.offer());
          reasons.addAll(large);
          alerts.add(new Alert(reader, news, reasons));
        });
  }

  private static List<Reason> reasons(Interest interest) {
    List<Reason> reasons = new ArrayList<>();
    interest.searches().forEach(id -> reasons.add(Reason.search(id)));
    if (interest.followers()) {
      reasons.add(Reason.seller(interest.news().seller()));
    }
    return reasons;
  }

  /// By stored times alone. Whether the reader wants to hear is decided where it is written.
  private static boolean concerns(News news, Member member) {
    return member.createdAt().isBefore(news.activatedAt()) && !member.owner().equals(news.seller());
  }
}
