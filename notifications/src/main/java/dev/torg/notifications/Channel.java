package dev.torg.notifications;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// A way to reach a person besides the bell. The names are those of the API.
public enum Channel {
  EMAIL,
  PUSH,
  SMS,
  WEBHOOK;

  /// The name in metrics and of leases.
  public String code() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The channel with this name. Empty for names that an earlier version stored.
  public static Optional<Channel> find(String name) {
    return Arrays.stream(values()).filter(channel -> channel.name().equals(name)).findFirst();
  }
}
