package dev.torg.alerts.delivery;

import dev.torg.alerts.event.AlertReason;
import dev.torg.alerts.event.StormAlert;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;

/// The part of a storm for one recipient within one block of the seller's positions: for each reason the
/// offers, relative to the first of the block. The seller is always among the reasons, because the
/// recipient may follow them and reading the rule costs nothing.
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

  /// The same storm for the login that the recipient was merged into.
  RecipientStorm to(String login) {
    return new RecipientStorm(key.to(login), matches);
  }

  /// The offers of all reasons.
  BitSet offers() {
    BitSet all = new BitSet();
    matches.values().forEach(all::or);
    return all;
  }

  /// Merges two storms of one block.
  RecipientStorm with(RecipientStorm other) {
    Map<AlertReason, BitSet> all = new LinkedHashMap<>();
    matches.forEach((reason, bits) -> all.put(reason, (BitSet) bits.clone()));
    other.matches.forEach(
        (reason, bits) -> all.computeIfAbsent(reason, _ -> new BitSet()).or(bits));
    return new RecipientStorm(key, all);
  }
}
