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

/// The delivery of an offer to a large audience and its progress: `cursor` is the last recipient sent to.
/// `target` is the search or the seller; targets take turns.
public record Fanout(
    OfferId offer,
    Audience rule,
    String target,
    long version,
    Instant startedAt,
    String cursor,
    int pages,
    long recipients,
    long audience,
    Alert alert) {
  /// The audience, with the number stored in the table.
  public enum Audience {
    SEARCH(1),
    SELLER(2),
    PRICE(3),
    /// Not an audience: withdraws the notifications of an offer.
    WITHDRAWAL(4);

    private final int number;

    Audience(int number) {
      this.number = number;
    }

    public int number() {
      return number;
    }

    static Audience of(int number) {
      return values()[number - 1];
    }
  }

  public Home home() {
    return offer.home();
  }

  /// All followers of the seller or subscribers of the search. The alert names every large audience of
  /// the offer, its own first, so that a member of several is notified with all reasons.
  public static Fanout of(
      AlertReason target, AlertContent content, Set<AlertReason> reasons, Instant now) {
    Audience rule = target.kind() == AlertReason.Kind.SEARCH ? Audience.SEARCH : Audience.SELLER;
    Set<AlertReason> ownFirst = new LinkedHashSet<>();
    ownFirst.add(target);
    ownFirst.addAll(reasons);
    return start(rule, target.id(), Alert.template(content, ownFirst), now);
  }

  public static Fanout ofPrice(AlertContent content, Instant now) {
    AlertReason saved = AlertReason.price(content.offer().toString());
    return start(Audience.PRICE, content.seller(), Alert.template(content, List.of(saved)), now);
  }

  public static Fanout withdrawal(AlertContent content, Instant now) {
    return start(Audience.WITHDRAWAL, content.seller(), Alert.template(content, List.of()), now);
  }

  private static Fanout start(Audience rule, String target, Alert alert, Instant now) {
    AlertContent content = alert.content();
    return new Fanout(content.offer(), rule, target, content.version(), now, "", 0, 0, 0, alert);
  }
}
