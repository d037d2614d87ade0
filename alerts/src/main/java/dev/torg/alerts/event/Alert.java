package dev.torg.alerts.event;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.AlertEvent;
import dev.torg.api.v1.Why;
import dev.torg.platform.Home;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// An alert for one recipient, with its possible reasons. Whether the rules behind them exist is decided
/// at delivery.
///
/// At most 20 reasons are named, the first ones of the given order ([ReasonRanking] sorts them).
/// `reasonsCut` means that there are more: delivery then searches the recipient's own searches for them,
/// unless a named one decides.
public record Alert(
    String recipient, AlertContent content, Set<AlertReason> reasons, boolean reasonsCut) {
  public static final int MAX_REASONS = 20;

  public Alert {
    reasonsCut |= reasons.size() > MAX_REASONS;
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
    return new Alert(login, content, reasons, reasonsCut);
  }

  /// Merges two alerts about one offer for one recipient.
  public Alert with(Alert other) {
    Set<AlertReason> all = new LinkedHashSet<>(reasons);
    all.addAll(other.reasons);
    return new Alert(
        recipient,
        other.content.version() > content.version() ? other.content : content,
        all,
        reasonsCut || other.reasonsCut);
  }

  /// The same alert in at most `maxBytes`: with a shorter title, without former prices and, if necessary,
  /// with fewer reasons.
  Alert within(int maxBytes) {
    Alert fitting = this;
    if (toBytes().length > maxBytes) {
      fitting = new Alert(recipient, content.shortened(), reasons, reasonsCut);
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
    AlertEvent.Builder event = content.toEvent().setReader(recipient).setReasonsCut(reasonsCut);
    reasons.forEach(
        reason ->
            event.addReasons(
                Why.newBuilder().setKind(reason.kind().name()).setId(reason.id()).build()));
    return event.build().toByteArray();
  }

  public static Alert parse(byte[] bytes) throws InvalidProtocolBufferException {
    return of(AlertEvent.parseFrom(bytes));
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
    try {
      return parse(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored alert cannot be read", e);
    }
  }

  /// The template that a fan-out addresses to each member of its audience.
  public static Alert template(AlertContent content, Collection<AlertReason> reasons) {
    return new Alert("", content, new LinkedHashSet<>(reasons));
  }
}
