package dev.torg.notifications.push;

import com.eatthepath.pushy.apns.ApnsPushNotification;
import com.eatthepath.pushy.apns.DeliveryPriority;
import com.eatthepath.pushy.apns.PushType;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

/// A push for APNs that is known to be sent or not. While there is no connection, the client holds it back for up to a
/// minute; a push that is abandoned before it is sent is never sent.
final class TrackedApnsPush implements ApnsPushNotification {
  private enum State {
    WAITING,
    SENT,
    ABANDONED
  }

  private final String token;
  private final String topic;
  private final String payload;
  private final String collapseId;
  private final Instant expiration;
  private final UUID apnsId = UUID.randomUUID();
  private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

  TrackedApnsPush(
      String token, String topic, String payload, String collapseId, Instant expiration) {
    this.token = token;
    this.topic = topic;
    this.payload = payload;
    this.collapseId = collapseId;
    this.expiration = expiration;
  }

  /// Called by the client once, when it writes the push.
  @Override
  public String getToken() {
    if (!state.compareAndSet(State.WAITING, State.SENT) && state.get() == State.ABANDONED) {
      throw new IllegalStateException("abandoned");
    }
    return token;
  }

  /// Whether the push was and will not be sent.
  boolean abandon() {
    return state.compareAndSet(State.WAITING, State.ABANDONED) || state.get() == State.ABANDONED;
  }

  @Override
  public String getPayload() {
    return payload;
  }

  @Override
  public Instant getExpiration() {
    return expiration;
  }

  @Override
  public DeliveryPriority getPriority() {
    return DeliveryPriority.IMMEDIATE;
  }

  @Override
  public PushType getPushType() {
    return PushType.ALERT;
  }

  @Override
  public String getTopic() {
    return topic;
  }

  @Override
  public String getCollapseId() {
    return collapseId;
  }

  @Override
  public UUID getApnsId() {
    return apnsId;
  }
}
