package dev.torg.promotions.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// Recomputes what became of all money of a home. Pure: every sum is computed here again, from the rows alone, with none of
/// the code that wrote them.
public final class MoneyAudit {
  private final Predicate<String> neverEnded;

  private MoneyAudit(Predicate<String> neverEnded) {
    this.neverEnded = neverEnded;
  }

  /// Of any installation. A ban or a sale ends services and leaves no trace of when it did so: after it, the same service
  /// may be bought again. So this does not find services that are missing or were bought twice.
  public static MoneyAudit ofAnyHistory() {
    return new MoneyAudit(_ -> false);
  }

  /// The same, with those two checks.
  ///
  /// @param neverEnded the entities (`offer:ID`) that were never banned, sold or removed
  public static MoneyAudit knowing(Predicate<String> neverEnded) {
    return new MoneyAudit(neverEnded);
  }

  public List<MoneyFinding> check(MoneySnapshot snapshot) {
    List<MoneyFinding> findings = new ArrayList<>();
    new PaymentChecks(snapshot, findings).run();
    new LedgerChecks(snapshot, findings).run();
    new PromotionChecks(snapshot, neverEnded, findings).run();
    if (snapshot.queued() > 0) {
      findings.add(
          new MoneyFinding(
              MoneyProblem.UNSETTLED, snapshot.queued() + " webhooks wait to be processed"));
    }
    return findings;
  }
}
