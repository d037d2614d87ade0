package dev.torg.alerts.delivery;

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

/// The offers of one block of a seller's storm that can be news to anybody: active, and not activated too
/// long ago. Read just before the transaction that notifies of them, the same for all readers. Positions
/// are counted from the first of the block.
final class StormOffers {
  private final BitSet open = new BitSet();
  private final Map<Integer, Numbered> byPosition = new HashMap<>();
  private final Map<OfferId, Integer> positions = new HashMap<>();
  private final Map<OfferId, String> titles;
  private Instant firstActivated = Instant.MAX;

  /// @param offers of the block, which begins at `first`
  /// @param active those of them that are
  /// @param titles of some, to show
  StormOffers(
      int first,
      List<Numbered> offers,
      Set<OfferId> active,
      Instant oldest,
      Map<OfferId, String> titles) {
    this.titles = Map.copyOf(titles);
    for (Numbered offer : offers) {
      int position = offer.position() - first;
      positions.put(offer.id(), position);
      if (active.contains(offer.id()) && !offer.activatedAt().isBefore(oldest)) {
        open.set(position);
        byPosition.put(position, offer);
        firstActivated =
            offer.activatedAt().isBefore(firstActivated) ? offer.activatedAt() : firstActivated;
      }
    }
  }

  /// Those of the offers that a rule of that age concerns.
  BitSet activatedAfter(BitSet matched, Instant ruleCreatedAt) {
    BitSet concerned = (BitSet) matched.clone();
    concerned.and(open);
    if (!ruleCreatedAt.isBefore(firstActivated)) {
      matched.stream()
          .filter(position -> !isActivatedAfter(position, ruleCreatedAt))
          .forEach(concerned::clear);
    }
    return concerned;
  }

  private boolean isActivatedAfter(int position, Instant ruleCreatedAt) {
    Numbered offer = byPosition.get(position);
    return offer != null && ruleCreatedAt.isBefore(offer.activatedAt());
  }

  List<OfferId> ids() {
    return List.copyOf(positions.keySet());
  }

  /// @param offer one of [#ids]
  int position(OfferId offer) {
    return Objects.requireNonNull(positions.get(offer));
  }

  /// An offer that stands for these: one whose title is known, if there is.
  Optional<Numbered> sample(BitSet of) {
    Optional<Numbered> titled =
        of.stream()
            .mapToObj(byPosition::get)
            .filter(offer -> titles.containsKey(offer.id()))
            .findFirst();
    return titled.or(() -> of.stream().mapToObj(byPosition::get).findFirst());
  }

  String title(OfferId offer) {
    return titles.getOrDefault(offer, "");
  }
}
