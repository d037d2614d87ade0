package dev.torg.notifications.operation;

import dev.torg.notifications.Channel;
import dev.torg.notifications.DeliveryRequest;
import dev.torg.platform.Home;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// One entry that is to be delivered on one channel.
///
/// @param attempts those that were made and definitely refused; the first of them was counted against the limits
/// @param isBulk part of a campaign: claimed after the others
/// @param isHeld held back by quiet hours or a minimum gap
/// @param devices the devices that a repeated push is limited to; empty: all
public record DeliveryOperation(
    String owner,
    long notificationId,
    Channel channel,
    String topic,
    Instant createdAt,
    int attempts,
    boolean isBulk,
    boolean isHeld,
    Optional<Instant> expiresAt,
    Optional<String> campaign,
    Optional<String> sourceId,
    Map<String, String> minAppVersion,
    Optional<String> iosCategory,
    Set<String> devices) {
  public DeliveryOperation {
    minAppVersion = Map.copyOf(minAppVersion);
    devices = Set.copyOf(devices);
  }

  /// The operation of an entry that was just created.
  static DeliveryOperation of(
      String owner,
      long notificationId,
      Channel channel,
      String topic,
      DeliveryRequest request,
      Instant createdAt) {
    return new DeliveryOperation(
        owner,
        notificationId,
        channel,
        topic,
        createdAt,
        0,
        request.campaign().isPresent(),
        false,
        request.expiresAt(),
        request.campaign(),
        request.sourceId(),
        request.minAppVersion(),
        request.iosCategory(),
        Set.of());
  }

  Home home() {
    return Home.of(owner);
  }

  /// Whether the limits were charged for it.
  boolean isCharged() {
    return attempts > 0;
  }

  /// After a definite refusal.
  ///
  /// @param isCounted whether its campaign has counted an outcome of it
  DeliveryOperation refused(Set<String> refusedBy, boolean isCounted) {
    return new DeliveryOperation(
        owner,
        notificationId,
        channel,
        topic,
        createdAt,
        attempts + 1,
        isBulk,
        isHeld,
        expiresAt,
        isCounted ? Optional.empty() : campaign,
        sourceId,
        minAppVersion,
        iosCategory,
        refusedBy);
  }

  /// The same for another owner, who has the entry under another id.
  DeliveryOperation movedTo(String newOwner, long newId) {
    return new DeliveryOperation(
        newOwner,
        newId,
        channel,
        topic,
        createdAt,
        attempts,
        isBulk,
        isHeld,
        expiresAt,
        campaign,
        sourceId,
        minAppVersion,
        iosCategory,
        devices);
  }
}
