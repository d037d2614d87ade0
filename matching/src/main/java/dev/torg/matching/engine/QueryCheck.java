package dev.torg.matching.engine;

import dev.torg.matching.OfferFeatures;
import dev.torg.matching.Query;
import java.util.List;

/// Tests offers against one query, exactly and one offer at a time: for scans of existing offers. Text comes
/// last, since analysing it costs most.
public final class QueryCheck {
  private final List<Clauses.Clause> facts;
  private final List<Clauses.Clause> text;

  public QueryCheck(Query query) {
    this.facts = Clauses.facts(query);
    this.text = Clauses.text(query);
  }

  /// Whether everything but the text holds; the offer's title and description may be left out.
  public boolean factsHold(OfferFeatures offer) {
    return allHold(facts, offer);
  }

  public boolean hasText() {
    return !text.isEmpty();
  }

  public boolean textHolds(OfferFeatures offer) {
    return allHold(text, offer);
  }

  /// A plain loop: brute force calls this for billions of pairs.
  private static boolean allHold(List<Clauses.Clause> clauses, OfferFeatures offer) {
    for (Clauses.Clause clause : clauses) {
      if (!clause.holds(offer)) {
        return false;
      }
    }
    return true;
  }
}
