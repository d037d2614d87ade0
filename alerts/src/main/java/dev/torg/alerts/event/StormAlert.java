package dev.torg.alerts.event;

import com.google.protobuf.ByteString;
import dev.torg.api.v1.AlertEvent;
import dev.torg.api.v1.AlertEvent.StormMatch;
import dev.torg.api.v1.Why;
import dev.torg.platform.Home;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Many new offers of one seller for one recipient, as one record: for each reason the positions of the
/// offers among those that the seller has published in storms ([dev.torg.alerts.storm]). Which of them
/// the recipient is notified of is decided at delivery.
public record StormAlert(
    String recipient, String seller, Map<AlertReason, OfferPositions> matches) {
  public StormAlert {
    matches = Collections.unmodifiableMap(new LinkedHashMap<>(matches));
  }

  public Home home() {
    return Home.of(recipient);
  }

  /// The same storm for another recipient, such as the login that this one was merged into.
  public StormAlert to(String other) {
    return new StormAlert(other, seller, matches);
  }

  /// Merges two storms of one seller for one recipient.
  public StormAlert with(StormAlert other) {
    Map<AlertReason, OfferPositions> all = new LinkedHashMap<>(matches);
    other.matches.forEach(
        (reason, positions) -> all.merge(reason, positions, OfferPositions::plus));
    return new StormAlert(recipient, seller, all);
  }

  /// The offers of all reasons.
  public OfferPositions positions() {
    return matches.values().stream().reduce(OfferPositions.none(), OfferPositions::plus);
  }

  /// The same storm as records with at most 20 reasons each, in the order of the reasons. None may be
  /// cut, because an offer may match the last one only.
  public List<StormAlert> inParts() {
    if (matches.size() <= Alert.MAX_REASONS) {
      return List.of(this);
    }
    List<StormAlert> parts = new ArrayList<>();
    Map<AlertReason, OfferPositions> part = new LinkedHashMap<>();
    for (Map.Entry<AlertReason, OfferPositions> match : matches.entrySet()) {
      part.put(match.getKey(), match.getValue());
      if (part.size() == Alert.MAX_REASONS) {
        parts.add(new StormAlert(recipient, seller, part));
        part.clear();
      }
    }
    if (!part.isEmpty()) {
      parts.add(new StormAlert(recipient, seller, part));
    }
    return parts;
  }

  public byte[] toBytes() {
    AlertEvent.Builder event =
        AlertEvent.newBuilder()
            .setReader(recipient)
            .setType(AlertEvent.Type.STORM)
            .setSellerId(seller);
    matches.forEach((reason, positions) -> event.addStorm(match(reason, positions)));
    return event.build().toByteArray();
  }

  private static StormMatch match(AlertReason reason, OfferPositions positions) {
    return StormMatch.newBuilder()
        .setReason(Why.newBuilder().setKind(reason.kind().name()).setId(reason.id()))
        .setPositions(ByteString.copyFrom(positions.encode()))
        .build();
  }

  public static StormAlert of(AlertEvent event) {
    Map<AlertReason, OfferPositions> matches = new LinkedHashMap<>();
    for (StormMatch match : event.getStormList()) {
      AlertReason reason =
          new AlertReason(
              AlertReason.Kind.valueOf(match.getReason().getKind()), match.getReason().getId());
      OfferPositions positions = OfferPositions.decode(match.getPositions().toByteArray());
      matches.merge(reason, positions, OfferPositions::plus);
    }
    return new StormAlert(event.getReader(), event.getSellerId(), matches);
  }
}
