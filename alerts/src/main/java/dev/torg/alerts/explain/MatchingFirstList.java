package dev.torg.alerts.explain;

import java.util.ArrayList;
import java.util.List;

/// A bounded list: matching items precede others, each group in the order of insertion.
final class MatchingFirstList<T> {
  private final int max;
  private final List<T> matching = new ArrayList<>();
  private final List<T> others = new ArrayList<>();

  MatchingFirstList(int max) {
    this.max = max;
  }

  void add(T item, boolean matches) {
    List<T> to = matches ? matching : others;
    if (to.size() < max) {
      to.add(item);
    }
  }

  List<T> all() {
    List<T> all = new ArrayList<>(matching);
    all.addAll(others.subList(0, Math.min(others.size(), max - matching.size())));
    return all;
  }
}
