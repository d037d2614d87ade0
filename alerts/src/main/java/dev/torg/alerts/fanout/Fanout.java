package dev.torg.alerts.fanout;

import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.event.AlertReason;
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
    Audience rule,
    String target,
    long version,
    Instant startedAt,
    String cursor,
    int pages,
    long people,
    long audience,
    Alert alert) {
  /// Whose people, with the number that the table holds.
  public enum Audience {
    SEARCH(1),
    SELLER(2),
    PRICE(3),
    /// Not an audience to tell but to take back from.
    WITHDRAWAL(4);

    private final int number;

    Audience(int number) {
      this.number = number;
    }

    int number() {
      return number;
    }

    static Audience of(int number) {
      return values()[number - 1];
    }
  }

  public Home home() {
    return offer.home();
  }

  /// All that follow the seller or subscribe to the search. The alert names every large audience of
  /// the offer, its own first, so that a member of several of them is notified with all their reasons.
  public static Fanout of(
      AlertReason target, AlertContent news, Set<AlertReason> reasons, Instant now) {
    Audience rule = target.kind() == AlertReason.Kind.SEARCH ? Audience.SEARCH : Audience.SELLER;
    Set<AlertReason> ownFirst = new LinkedHashSet<>();
    ownFirst.add(target);
    ownFirst.addAll(reasons);
    return begun(rule, target.id(), Alert.template(news, ownFirst), now);
  }

  public static Fanout ofPrice(AlertContent news, Instant now) {
    AlertReason saved = AlertReason.price(news.offer().toString());
    return begun(Audience.PRICE, news.seller(), Alert.template(news, List.of(saved)), now);
  }

  public static Fanout withdrawal(AlertContent news, Instant now) {
    return begun(Audience.WITHDRAWAL, news.seller(), Alert.template(news, List.of()), now);
  }

  private static Fanout begun(Audience rule, String target, Alert alert, Instant now) {
    AlertContent news = alert.news();
    return new Fanout(news.offer(), rule, target, news.version(), now, "", 0, 0, 0, alert);
  }
}
