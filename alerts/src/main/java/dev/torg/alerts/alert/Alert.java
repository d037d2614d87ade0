package dev.torg.alerts.alert;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.AlertEvent;
import dev.torg.api.v1.Why;
import dev.torg.platform.Home;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// News for one reader, with every reason there may be. Whether any of them still holds is decided
/// where it is written.
public record Alert(String reader, News news, Set<Reason> reasons) {
  public Alert {
    reasons = Collections.unmodifiableSet(new LinkedHashSet<>(reasons));
  }

  public Home home() {
    return Home.of(reader);
  }

  /// The same for the login that the reader has moved to.
  public Alert to(String login) {
    return new Alert(login, news, reasons);
  }

  /// Of two alerts about one offer to one reader.
  public Alert with(Alert other) {
    Set<Reason> all = new LinkedHashSet<>(reasons);
    all.addAll(other.reasons);
    return new Alert(reader, other.news.version() > news.version() ? other.news : news, all);
  }

  public byte[] toBytes() {
    AlertEvent.Builder event = news.toEvent().setReader(reader);
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
    List<Reason> reasons =
        event.getReasonsList().stream()
            .map(why -> new Reason(Reason.Kind.valueOf(why.getKind()), why.getId()))
            .toList();
    return new Alert(event.getReader(), News.of(event), new LinkedHashSet<>(reasons));
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
  public static Alert toNobodyYet(News news, Collection<Reason> reasons) {
    return new Alert("", news, new LinkedHashSet<>(reasons));
  }
}
