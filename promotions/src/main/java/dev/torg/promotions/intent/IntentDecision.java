package dev.torg.promotions.intent;

import dev.torg.api.v1.Offer.Status;
import dev.torg.platform.Failure;
import dev.torg.promotions.PaymentLine;
import dev.torg.promotions.apply.PromotionWriter.LockedPromotions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What the examination of an intent decides, before the balance is charged. Pure.
sealed interface IntentDecision {
  /// There is no active offer with the external id.
  record WaitForOffer() implements IntentDecision {}

  /// All services are active.
  record NothingToBuy() implements IntentDecision {}

  /// None of the missing services can be bought before this time: each is a bundle of which a part is active.
  record WaitUntil(Instant time) implements IntentDecision {}

  /// The price may be obtained later.
  record RetryPrice() implements IntentDecision {}

  /// There is no price.
  record NoPrice() implements IntentDecision {}

  /// Services have ended since they were read: prices are needed after all.
  record ExamineAgain() implements IntentDecision {}

  /// Services that are not active and can be bought, in one currency.
  record Buy(List<PaymentLine> lines) implements IntentDecision {
    public Buy {
      lines = List.copyOf(lines);
    }
  }

  /// The prices of an intent's services.
  sealed interface Prices {
    /// All services were active when they were read.
    record NotNeeded() implements Prices {}

    record Lines(List<PaymentLine> lines) implements Prices {
      public Lines {
        lines = List.copyOf(lines);
      }
    }

    record Failed(Failure failure) implements Prices {}
  }

  /// @param locked the offer's promotions; empty if the seller has no offer with the external id
  static IntentDecision of(
      Optional<LockedPromotions> locked, List<String> services, Prices prices) {
    if (locked.isEmpty() || locked.get().status() != Status.ACTIVE) {
      return new WaitForOffer();
    }
    Map<String, Instant> active = locked.get().activeUntil();
    if (active.keySet().containsAll(services)) {
      return new NothingToBuy();
    }
    return switch (prices) {
      case Prices.NotNeeded _ -> new ExamineAgain();
      case Prices.Failed failed ->
          failed.failure().kind() == Failure.Kind.UNAVAILABLE ? new RetryPrice() : new NoPrice();
      case Prices.Lines lines -> buy(missing(lines.lines(), services, active), active);
    };
  }

  private static List<PaymentLine> missing(
      List<PaymentLine> lines, List<String> services, Map<String, Instant> active) {
    return lines.stream()
        .filter(line -> services.contains(line.label()) && !active.containsKey(line.label()))
        .toList();
  }

  private static IntentDecision buy(List<PaymentLine> missing, Map<String, Instant> active) {
    List<PaymentLine> possible =
        missing.stream().filter(line -> blockedUntil(line, active).isEmpty()).toList();
    List<PaymentLine> bought =
        possible.stream().filter(line -> !isPartOfAnother(line, possible)).toList();
    if (bought.stream().map(line -> line.amount().currency()).distinct().count() > 1) {
      return new NoPrice();
    }
    if (!bought.isEmpty()) {
      return new Buy(bought);
    }
    return missing.stream()
        .flatMap(line -> blockedUntil(line, active).stream())
        .min(Instant::compareTo)
        .<IntentDecision>map(WaitUntil::new)
        .orElseGet(NoPrice::new);
  }

  /// Whether a bundle that is bought, too, activates this service: it is not paid twice.
  private static boolean isPartOfAnother(PaymentLine line, List<PaymentLine> lines) {
    return lines.stream()
        .filter(other -> other != line)
        .anyMatch(
            other ->
                other.services().size() > line.services().size()
                    && other.services().stream()
                        .anyMatch(term -> term.service().equals(line.label())));
  }

  /// When the last active service ends that prevents this line; empty if none does.
  private static Optional<Instant> blockedUntil(PaymentLine line, Map<String, Instant> active) {
    return line.services().stream()
        .filter(term -> !term.extendable())
        .flatMap(term -> Optional.ofNullable(active.get(term.service())).stream())
        .max(Instant::compareTo);
  }
}
