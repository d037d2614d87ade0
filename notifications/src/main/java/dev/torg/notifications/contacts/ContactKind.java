package dev.torg.notifications.contacts;

import dev.torg.notifications.Channel;

/// A kind of address. The names are those of the API.
public enum ContactKind {
  EMAIL(Channel.EMAIL),
  PHONE(Channel.SMS),
  WEBHOOK(Channel.WEBHOOK);

  private final Channel channel;

  ContactKind(Channel channel) {
    this.channel = channel;
  }

  Channel channel() {
    return channel;
  }
}
