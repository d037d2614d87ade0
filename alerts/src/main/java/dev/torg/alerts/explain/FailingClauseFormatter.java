package dev.torg.alerts.explain;

import java.util.List;

/// Shortens the clauses that an offer fails: a clause may name hundreds of values.
final class FailingClauseFormatter {
  static final int MAX_CLAUSES = 10;
  static final int MAX_CLAUSE_CHARACTERS = 200;

  private FailingClauseFormatter() {}

  static List<String> shown(List<String> failing) {
    return failing.stream().limit(MAX_CLAUSES).map(FailingClauseFormatter::shortened).toList();
  }

  private static String shortened(String clause) {
    int characters = clause.codePointCount(0, clause.length());
    return characters <= MAX_CLAUSE_CHARACTERS
        ? clause
        : clause.substring(0, clause.offsetByCodePoints(0, MAX_CLAUSE_CHARACTERS - 1)) + "…";
  }
}
