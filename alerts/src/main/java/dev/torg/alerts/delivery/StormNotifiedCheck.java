package dev.torg.alerts.delivery;

import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.storm.StormStore;
import java.util.List;

/// Whether a recipient was notified of an offer in a storm of its seller.
public enum StormNotifiedCheck {
  NEW,
  NOTIFIED,
  /// The offer had no position when positions were read, and the recipient has since been notified of
  /// offers with later positions: it may be one of them.
  UNSURE;

  /// The key to read: the block of the offer's position or, without a position, the highest block.
  public static StormNotifiedStore.Key key(Alert alert, StormStore.NumberedOffers numbered) {
    Integer position = numbered.positions().get(alert.content().offer());
    int block = position == null ? StormNotifiedStore.HIGHEST : position / StormNotifiedStore.BLOCK;
    return new StormNotifiedStore.Key(alert.recipient(), alert.content().seller(), block);
  }

  /// @param notified blocks of the recipient and the offer's seller, including the one of [#key]
  /// @param numbered positions read before these
  public static StormNotifiedCheck of(
      AlertContent content,
      List<StormNotifiedStore.Block> notified,
      StormStore.NumberedOffers numbered) {
    Integer position = numbered.positions().get(content.offer());
    if (position != null) {
      return notified.stream().anyMatch(block -> contains(block, position)) ? NOTIFIED : NEW;
    }
    int last = numbered.last(content.seller());
    return notified.stream().anyMatch(block -> block.highest() > last) ? UNSURE : NEW;
  }

  private static boolean contains(StormNotifiedStore.Block block, int position) {
    int index = position - block.key().first();
    return index >= 0 && block.bits().get(index);
  }
}
