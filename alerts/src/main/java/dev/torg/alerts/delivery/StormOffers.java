package dev.torg.alerts.delivery;

import dev.torg.alerts.eligibility.AlertEligibility;
import dev.torg.alerts.storm.StormStore.Numbered;
import dev.torg.platform.OfferId;
import java.time.Instant;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// The offers of one block of a seller's storm that recipients can be notified of: active and not too old.
/// Read just before the transaction, and shared by all recipients. Positions are relative to the first of
/// the block.
final class StormOffers {
  private final BitSet open = new BitSet();
  private final Map<Integer, Numbered> byPosition = new HashMap<>();
  private final Map<OfferId, Integer> positions = new HashMap<>();
  private final Map<OfferId, String> titles;
  private Instant firstActivated = Instant.MAX;

  /// @param first the first position of the block
  /// @param offers of the block
  /// @param active those of the offers that are active
  /// @param titles of some offers, for digests
  StormOffers(
      int first,
      List<Numbered> offers,
      Set<OfferId> active,
      Instant now,
      Map<OfferId, String> titles) {
    this.titles = Map.copyOf(titles);
    for (Numbered offer : offers) {
      int position = offer.position() - first;
      positions.put(offer.id(), position);
      if (active.contains(offer.id()) && !AlertEligibility.isTooOld(offer.activatedAt(), now)) {
        open.set(position);
        byPosition.put(position, offer);
        firstActivated =
            offer.activatedAt().isBefore(firstActivated) ? offer.activatedAt() : firstActivated;
      }
    }
  }

  /// Those of the matched offers that were activated after the rule was created.
  BitSet activatedAfter(BitSet matched, Instant ruleCreatedAt) {
    BitSet concerned = (BitSet) matched.clone();
    concerned.and(open);
    if (!AlertEligibility.isOlderThanOffer(ruleCreatedAt, firstActivated)) {
      matched.stream()
          .filter(position -> !isActivatedAfter(position, ruleCreatedAt))
          .forEach(concerned::clear);
    }
    return concerned;
  }

  private boolean isActivatedAfter(int position, Instant ruleCreatedAt) {
    Numbered offer = byPosition.get(position);
    return offer != null && AlertEligibility.isOlderThanOffer(ruleCreatedAt, offer.activatedAt());
  }

  List<OfferId> ids() {
    return List.copyOf(positions.keySet());
  }

  /// @param offer one of [#ids]
  int position(OfferId offer) {
    return Objects.requireNonNull(positions.get(offer));
  }

  /// An offer that represents these: preferably one with a known title.
  Optional<Numbered> sample(BitSet offers) {
    Optional<Numbered> titled =
        offers.stream()
            .mapToObj(byPosition::get)
            .filter(offer -> titles.containsKey(offer.id()))
            .findFirst();
    return titled.or(() -> offers.stream().mapToObj(byPosition::get).findFirst());
  }

  String title(OfferId offer) {
    return titles.getOrDefault(offer, "");
  }
}
