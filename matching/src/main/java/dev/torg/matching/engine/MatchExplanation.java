package dev.torg.matching.engine;

import dev.torg.matching.OfferFeatures;
import dev.torg.matching.Query;
import java.util.Comparator;
import java.util.List;

/// Why an offer satisfies a query or not. `decidedBy` names one clause: of a match the one that fewest offers satisfy, of a miss
/// the first that fails.
public record MatchExplanation(boolean matches, String decidedBy, List<Verdict> clauses) {

  /// One clause as `key=values` with its outcome.
  public record Verdict(String clause, boolean satisfied) {}

  /// Without statistics about offers: of a match, the first clause decides.
  public static MatchExplanation of(Query query, OfferFeatures offer) {
    List<Verdict> verdicts = verdicts(Clauses.of(query), offer);
    boolean matches = verdicts.stream().allMatch(Verdict::satisfied);
    return new MatchExplanation(
        matches, matches ? verdicts.getFirst().clause() : firstFailing(verdicts), verdicts);
  }

  static MatchExplanation of(Query query, OfferFeatures offer, Observations observations) {
    List<Clauses.Clause> clauses = Clauses.of(query);
    List<Verdict> verdicts = verdicts(clauses, offer);
    boolean matches = verdicts.stream().allMatch(Verdict::satisfied);
    return new MatchExplanation(
        matches, matches ? rarest(clauses, observations) : firstFailing(verdicts), verdicts);
  }

  private static List<Verdict> verdicts(List<Clauses.Clause> clauses, OfferFeatures offer) {
    return clauses.stream().map(clause -> new Verdict(clause.text(), clause.holds(offer))).toList();
  }

  /// The clauses that the offer fails.
  public List<String> failing() {
    return clauses.stream().filter(verdict -> !verdict.satisfied).map(Verdict::clause).toList();
  }

  private static String firstFailing(List<Verdict> verdicts) {
    return verdicts.stream()
        .filter(verdict -> !verdict.satisfied)
        .map(Verdict::clause)
        .findFirst()
        .orElse("");
  }

  private static String rarest(List<Clauses.Clause> clauses, Observations observations) {
    return clauses.stream()
        .min(Comparator.comparingDouble(clause -> share(clause, observations)))
        .map(Clauses.Clause::text)
        .orElse("");
  }

  private static double share(Clauses.Clause clause, Observations observations) {
    return clause.required().isEmpty()
        ? 1
        : clause.required().stream().mapToDouble(observations::frequency).sum();
  }
}
