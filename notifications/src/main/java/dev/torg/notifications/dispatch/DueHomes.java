package dev.torg.notifications.dispatch;

import dev.torg.platform.Home;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The homes of a group in which something may be due. Each is contained once, and the one added first is next.
final class DueHomes {
  private final Set<Home> homes = new LinkedHashSet<>();

  synchronized void add(Collection<Home> some) {
    homes.addAll(some);
  }

  synchronized List<Home> takeAll() {
    List<Home> all = new ArrayList<>(homes);
    homes.clear();
    return all;
  }
}
