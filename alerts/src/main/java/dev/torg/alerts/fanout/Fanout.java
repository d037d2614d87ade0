package dev.torg.alerts.fanout;

import dev.torg.alerts.alert.Alert;
import dev.torg.alerts.alert.News;
import dev.torg.alerts.alert.Reason;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Work on a large audience of an offer, and how far it is: `cursor` is the last person told. `target` is
/// the search or the seller; turns go round by it.
public record Fanout(
    OfferId offer,
    Rule rule,
    String target,
    long version,
    Instant startedAt,
    String cursor,
    int pages,
    long people,
    long audience,
    Alert alert) {
  /// Whose people, with the number that the table holds.
  public enum Rule {
    SEARCH(1),
    SELLER(2),
    PRICE(3),
    /// Not an audience to tell but to take back from.
    WITHDRAWAL(4);

    private final int number;

    Rule(int number) {
      this.number = number;
    }

    int number() {
      return number;
    }

    static Rule of(int number) {
      return values()[number - 1];
    }
  }

  public Home home() {
    return offer.home();
  }

  /// All that follow the seller or subscribe to the search. The alert names every large audience of
  /// the offer, its own first, so that a member of several of them is notified with all their reasons.
  public static Fanout of(Reason target, News news, Set<Reason> reasons, Instant now) {
    Rule rule = target.kind() == Reason.Kind.SEARCH ? Rule.SEARCH : Rule.SELLER;
    Set<Reason> ownFirst = new LinkedHashSet<>();
    ownFirst.add(target);
    ownFirst.addAll(reasons);
    return begun(rule, target.id(), Alert.toNobodyYet(news, ownFirst), now);
  }

  public static Fanout ofPrice(News news, Instant now) {
    Reason saved = Reason.price(news.offer().toString());
    return begun(Rule.PRICE, news.seller(), Alert.toNobodyYet(news, List.of(saved)), now);
  }

  public static Fanout withdrawal(News news, Instant now) {
    return begun(Rule.WITHDRAWAL, news.seller(), Alert.toNobodyYet(news, List.of()), now);
  }

  private static Fanout begun(Rule rule, String target, Alert alert, Instant now) {
    News news = alert.news();
    return new Fanout(news.offer(), rule, target, news.version(), now, "", 0, 0, 0, alert);
  }
}
