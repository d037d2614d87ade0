package dev.torg.notifications.delivery;

import dev.torg.notifications.Channel;

/// Creates signed links by which a recipient mutes a topic on a channel without login.
public interface UnsubscribeLinks {
  String link(String recipient, String topic, Channel channel);
}
