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

/// News for one reader, with the reasons there may be. Whether any of them still holds is decided where
/// it is written.
///
/// At most 20 reasons are named, the first ones as they are given ([ReasonRanking] puts them in order).
/// `reasonsCut` says that there are others: the writer then looks for them among the reader's own
/// searches, unless one of those named decides.
public record Alert(
    String recipient, AlertContent news, Set<AlertReason> reasons, boolean reasonsCut) {
  public static final int MAX_REASONS = 20;

  public Alert {
    reasonsCut |= reasons.size() > MAX_REASONS;
    Set<AlertReason> named = new LinkedHashSet<>();
    reasons.stream().limit(MAX_REASONS).forEach(named::add);
    reasons = Collections.unmodifiableSet(named);
  }

  public Alert(String reader, AlertContent news, Set<AlertReason> reasons) {
    this(reader, news, reasons, false);
  }

  public Home home() {
    return Home.of(recipient);
  }

  /// The same for the login that the reader has moved to.
  public Alert to(String login) {
    return new Alert(login, news, reasons, reasonsCut);
  }

  /// Of two alerts about one offer to one reader.
  public Alert with(Alert other) {
    Set<AlertReason> all = new LinkedHashSet<>(reasons);
    all.addAll(other.reasons);
    return new Alert(
        recipient,
        other.news.version() > news.version() ? other.news : news,
        all,
        reasonsCut || other.reasonsCut);
  }

  /// The same in at most so many bytes: with a shorter title, without former prices, and with fewer
  /// reasons if need be.
  Alert within(int maxBytes) {
    Alert fitting = this;
    if (toBytes().length > maxBytes) {
      fitting = new Alert(recipient, news.shortened(), reasons, reasonsCut);
      while (fitting.toBytes().length > maxBytes && !fitting.reasons.isEmpty()) {
        fitting = fitting.withoutLastReason();
      }
    }
    return fitting;
  }

  private Alert withoutLastReason() {
    Set<AlertReason> fewer = new LinkedHashSet<>();
    reasons.stream().limit(reasons.size() - 1L).forEach(fewer::add);
    return new Alert(recipient, news, fewer, true);
  }

  public byte[] toBytes() {
    AlertEvent.Builder event = news.toEvent().setReader(recipient).setReasonsCut(reasonsCut);
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

  /// As stored by ourselves.
  public static Alert stored(byte[] bytes) {
    try {
      return parse(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored alert cannot be read", e);
    }
  }

  /// What a fan-out brings to each person of its audience.
  public static Alert template(AlertContent news, Collection<AlertReason> reasons) {
    return new Alert("", news, new LinkedHashSet<>(reasons));
  }
}
