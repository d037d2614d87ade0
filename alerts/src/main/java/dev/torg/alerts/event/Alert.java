package dev.torg.alerts.event;

import dev.torg.api.v1.AlertEvent;
import dev.torg.api.v1.Why;
import dev.torg.platform.Home;
import dev.torg.platform.db.StoredProto;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// An alert for one recipient, with its possible reasons. Whether the rules behind them exist is decided
/// at delivery.
///
/// At most 20 reasons are named, the first ones of the given order ([ReasonRanking] sorts them).
/// `reasonsTruncated` means that there are more: delivery then searches the recipient's own searches for them,
/// unless a named one decides.
public record Alert(
    String recipient, AlertContent content, Set<AlertReason> reasons, boolean reasonsTruncated) {
  public static final int MAX_REASONS = 20;

  public Alert {
    reasonsTruncated |= reasons.size() > MAX_REASONS;
    Set<AlertReason> named = new LinkedHashSet<>();
    reasons.stream().limit(MAX_REASONS).forEach(named::add);
    reasons = Collections.unmodifiableSet(named);
  }

  public Alert(String recipient, AlertContent content, Set<AlertReason> reasons) {
    this(recipient, content, reasons, false);
  }

  public Home home() {
    return Home.of(recipient);
  }

  /// The same alert for the login that the recipient was merged into.
  public Alert to(String login) {
    return new Alert(login, content, reasons, reasonsTruncated);
  }

  /// Merges two alerts about one offer for one recipient.
  public Alert with(Alert other) {
    Set<AlertReason> all = new LinkedHashSet<>(reasons);
    all.addAll(other.reasons);
    return new Alert(
        recipient,
        other.content.version() > content.version() ? other.content : content,
        all,
        reasonsTruncated || other.reasonsTruncated);
  }

  /// The same alert in at most `maxBytes`: with a shorter title, without former prices and, if necessary,
  /// with fewer reasons.
  Alert within(int maxBytes) {
    Alert fitting = this;
    if (toBytes().length > maxBytes) {
      fitting = new Alert(recipient, content.shortened(), reasons, reasonsTruncated);
      while (fitting.toBytes().length > maxBytes && !fitting.reasons.isEmpty()) {
        fitting = fitting.withoutLastReason();
      }
    }
    return fitting;
  }

  private Alert withoutLastReason() {
    Set<AlertReason> fewer = new LinkedHashSet<>();
    reasons.stream().limit(reasons.size() - 1L).forEach(fewer::add);
    return new Alert(recipient, content, fewer, true);
  }

  public byte[] toBytes() {
    AlertEvent.Builder event =
        content.toEvent().setReader(recipient).setReasonsCut(reasonsTruncated);
    reasons.forEach(
        reason ->
            event.addReasons(
                Why.newBuilder().setKind(reason.kind().name()).setId(reason.id()).build()));
    return event.build().toByteArray();
  }

  public static Alert of(AlertEvent event) {
    List<AlertReason> reasons =
        event.getReasonsList().stream()
            .map(why -> new AlertReason(AlertReason.Kind.valueOf(why.getKind()), why.getId()))
            .toList();
    return new Alert(
        event.getReader(),
        AlertContent.of(event),
        new LinkedHashSet<>(reasons),
        event.getReasonsCut());
  }

  /// Parses bytes stored by this module.
  public static Alert stored(byte[] bytes) {
    return of(StoredProto.parse(AlertEvent.parser(), bytes, "alert"));
  }

  /// The template that a fan-out addresses to each member of its audience.
  public static Alert template(AlertContent content, Collection<AlertReason> reasons) {
    return new Alert("", content, new LinkedHashSet<>(reasons));
  }
}
