package dev.torg.notifications.unsubscribe;

import dev.torg.notifications.Channel;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.delivery.UnsubscribeLinks;
import dev.torg.platform.identity.MessageAuthenticator;

/// Creates links that [SettingsUnsubscribeService] accepts. A topic that cannot be muted has none: its link is empty.
public final class SignedUnsubscribeLinks implements UnsubscribeLinks {
  private static final String PATH = "/v1/unsubscribe?t=";

  private final String publicUrl;
  private final NotificationTopics topics;
  private final MessageAuthenticator authenticator;

  /// @param publicUrl the address of this installation without a slash at its end
  public SignedUnsubscribeLinks(
      String publicUrl, NotificationTopics topics, MessageAuthenticator authenticator) {
    this.publicUrl = publicUrl;
    this.topics = topics;
    this.authenticator = authenticator;
  }

  @Override
  public String link(String recipient, String topic, Channel channel) {
    boolean canMute = topics.find(topic).filter(known -> !known.exempt()).isPresent();
    UnsubscribeToken token = new UnsubscribeToken(recipient, topic, channel);
    return canMute ? publicUrl + PATH + token.sign(authenticator) : "";
  }
}
