package dev.torg.notifications.bell;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// Passes the recipients whose bells changed to listeners, after each commit of this process. Listeners
/// must return quickly.
public record BellChanges(List<Consumer<Set<String>>> listeners) {
  public BellChanges {
    listeners = List.copyOf(listeners);
  }

  public void publish(Set<String> recipients) {
    if (!recipients.isEmpty()) {
      listeners.forEach(listener -> listener.accept(recipients));
    }
  }
}
