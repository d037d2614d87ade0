package dev.torg.alerts.write;

import dev.torg.alerts.alert.News;
import dev.torg.alerts.storm.StormStore;
import java.util.BitSet;

/// Whether a reader was notified of an offer in a storm of its seller.
enum StormCheck {
  NEW,
  NOTIFIED,
  /// The offer had no position when positions were read, and the reader has since been notified of
  /// offers with positions given later: it may be one of them.
  UNSURE;

  /// @param notified the positions that the reader was notified of
  /// @param known positions read before `notified`
  static StormCheck of(News news, BitSet notified, StormStore.Known known) {
    Integer position = known.positions().get(news.offer());
    if (position != null) {
      return notified.get(position) ? NOTIFIED : NEW;
    }
    int highest = notified.length() - 1;
    return highest > known.last(news.seller()) ? UNSURE : NEW;
  }
}
