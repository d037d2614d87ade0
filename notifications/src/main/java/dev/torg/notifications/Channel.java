package dev.torg.notifications;

/// A way to reach a person besides the bell. The names are those of the API.
public enum Channel {
  EMAIL,
  PUSH,
  SMS,
  WEBHOOK
}
