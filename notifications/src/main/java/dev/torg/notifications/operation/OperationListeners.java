package dev.torg.notifications.operation;

import dev.torg.notifications.Channel;
import dev.torg.platform.Home;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;

/// Passes the homes in which operations were queued to listeners, after each commit of this process. Listeners must
/// return quickly.
public final class OperationListeners {
  private final List<BiConsumer<Channel, Set<Home>>> listeners = new CopyOnWriteArrayList<>();

  public void add(BiConsumer<Channel, Set<Home>> listener) {
    listeners.add(listener);
  }

  void publish(Map<Channel, Set<Home>> homes) {
    homes.forEach((channel, some) -> listeners.forEach(listener -> listener.accept(channel, some)));
  }
}
