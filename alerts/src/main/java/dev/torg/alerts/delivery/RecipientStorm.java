package dev.torg.alerts.delivery;

import dev.torg.alerts.event.AlertReason;
import dev.torg.alerts.event.StormAlert;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;

/// The part of a storm for one reader within one block of the seller's positions: for each reason the
/// offers, counted from the first of the block. With the seller among the reasons, whom the reader may
/// follow: it costs nothing to ask.
record RecipientStorm(StormNotifiedStore.Key key, Map<AlertReason, BitSet> matches) {
  /// The part of the storm within a block.
  static RecipientStorm of(StormAlert alert, int block) {
    StormNotifiedStore.Key key =
        new StormNotifiedStore.Key(alert.recipient(), alert.seller(), block);
    int end = key.first() + StormNotifiedStore.BLOCK;
    Map<AlertReason, BitSet> matches = new LinkedHashMap<>();
    alert
        .matches()
        .forEach((reason, positions) -> matches.put(reason, positions.within(key.first(), end)));
    BitSet all = new BitSet();
    matches.values().forEach(all::or);
    matches.putIfAbsent(AlertReason.seller(alert.seller()), all);
    return new RecipientStorm(key, matches);
  }

  String recipient() {
    return key.owner();
  }

  String seller() {
    return key.seller();
  }

  /// The same for the login that the reader has moved to.
  RecipientStorm to(String login) {
    return new RecipientStorm(key.to(login), matches);
  }

  /// All offers of it.
  BitSet offers() {
    BitSet all = new BitSet();
    matches.values().forEach(all::or);
    return all;
  }

  /// Of two about one block.
  RecipientStorm with(RecipientStorm other) {
    Map<AlertReason, BitSet> all = new LinkedHashMap<>();
    matches.forEach((reason, bits) -> all.put(reason, (BitSet) bits.clone()));
    other.matches.forEach(
        (reason, bits) -> all.computeIfAbsent(reason, _ -> new BitSet()).or(bits));
    return new RecipientStorm(key, all);
  }
}
