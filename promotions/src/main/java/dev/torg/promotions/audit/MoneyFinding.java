package dev.torg.promotions.audit;

/// Something that is wrong.
///
/// @param text a sentence for people
public record MoneyFinding(MoneyProblem problem, String text) {
  @Override
  public String toString() {
    return problem + ": " + text;
  }
}
