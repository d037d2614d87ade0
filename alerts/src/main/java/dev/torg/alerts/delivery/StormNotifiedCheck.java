package dev.torg.alerts.delivery;

import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.storm.StormStore;
import java.util.List;

/// Whether a reader was notified of an offer in a storm of its seller.
public enum StormNotifiedCheck {
  NEW,
  NOTIFIED,
  /// The offer had no position when positions were read, and the reader has since been notified of
  /// offers with positions given later: it may be one of them.
  UNSURE;

  /// What must be asked: the block of the offer's position or, if it has none, the highest.
  public static StormNotifiedStore.Key key(Alert alert, StormStore.NumberedOffers known) {
    Integer position = known.positions().get(alert.news().offer());
    int block = position == null ? StormNotifiedStore.HIGHEST : position / StormNotifiedStore.BLOCK;
    return new StormNotifiedStore.Key(alert.recipient(), alert.news().seller(), block);
  }

  /// @param notified blocks of the reader and the offer's seller, the one that was asked for among them
  /// @param known positions read before these
  public static StormNotifiedCheck of(
      AlertContent news, List<StormNotifiedStore.Block> notified, StormStore.NumberedOffers known) {
    Integer position = known.positions().get(news.offer());
    if (position != null) {
      return notified.stream().anyMatch(block -> contains(block, position)) ? NOTIFIED : NEW;
    }
    int last = known.last(news.seller());
    return notified.stream().anyMatch(block -> block.highest() > last) ? UNSURE : NEW;
  }

  private static boolean contains(StormNotifiedStore.Block block, int position) {
    int index = position - block.key().first();
    return index >= 0 && block.bits().get(index);
  }
}
