package dev.torg.notifications;

import java.util.Locale;

/// Unsubscribes people by signed links, without login. A forged or altered link is INVALID.
public interface UnsubscribeService {
  /// What a link is about.
  ///
  /// @param language of the person
  record Subscription(NotificationTopics.Topic topic, Channel channel, Locale language) {}

  /// What the link would mute. Changes nothing.
  Subscription find(String token);

  /// Mutes the topic on the channel for the person, or for the login that the person has moved to. May be repeated.
  /// Blocks.
  Subscription unsubscribe(String token);
}
