package dev.torg.notifications;

import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.TopicSettings;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/// The channels on which notifications of a topic are delivered if neither a sender nor a rule of the recipient names
/// any. A recipient adds channels by naming them in the settings of the topic, not muted.
///
/// Whether a channel is muted, over its limit, or without a contact is decided when the notification is delivered.
public record TopicChannels(Map<String, Set<Channel>> byTopic) {
  private static final TopicChannels DEFAULTS =
      new TopicChannels(Map.of(NotificationTopics.OFFERS, Set.of(Channel.EMAIL, Channel.PUSH)));

  public TopicChannels {
    byTopic = Map.copyOf(byTopic);
  }

  /// E-mail and push for what concerns the recipient's own offers. For the other topics only what the recipient names.
  public static TopicChannels defaults() {
    return DEFAULTS;
  }

  public Set<Channel> of(String topic, NotificationSettings settings) {
    Set<Channel> channels = EnumSet.noneOf(Channel.class);
    channels.addAll(byTopic.getOrDefault(topic, Set.of()));
    TopicSettings ofTopic = settings.getTopicsOrDefault(topic, TopicSettings.getDefaultInstance());
    ofTopic
        .getChannelsMap()
        .forEach(
            (name, channel) -> {
              if (!channel.getMuted()) {
                Channel.find(name).ifPresent(channels::add);
              }
            });
    return channels;
  }
}
