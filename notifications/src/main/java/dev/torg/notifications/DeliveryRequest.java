package dev.torg.notifications;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// How a notification is to be delivered besides the bell. The recipient's settings decide whether and when it is.
///
/// @param expiresAt from this time on it is not delivered
/// @param minAppVersion by platform (`android`, `ios`, `web`): devices with a lower or unknown version receive no push
/// @param iosCategory the push category that provides the buttons on iOS
/// @param campaign the id of the campaign whose progress counts the delivery
/// @param sourceId the id that the sender chose, by which its deliveries are found
public record DeliveryRequest(
    Set<Channel> channels,
    Optional<Instant> expiresAt,
    Map<String, String> minAppVersion,
    Optional<String> iosCategory,
    Optional<String> campaign,
    Optional<String> sourceId) {
  /// The bell only.
  public static final DeliveryRequest NONE = on(Set.of());

  public DeliveryRequest {
    channels = Set.copyOf(channels);
    minAppVersion = Map.copyOf(minAppVersion);
  }

  public static DeliveryRequest on(Set<Channel> channels) {
    return new DeliveryRequest(
        channels, Optional.empty(), Map.of(), Optional.empty(), Optional.empty(), Optional.empty());
  }
}
