package dev.torg.favorites;

import java.util.Map;
import java.util.Optional;

/// The rules that hold until the transaction ends, and the readers that have moved to a login
/// (anonymous → login), of whom no rules are given.
public record HeldRules(Map<RuleKey, Rule> rules, Map<String, String> moved) {
  public HeldRules {
    rules = Map.copyOf(rules);
    moved = Map.copyOf(moved);
  }

  public Optional<Rule> rule(RuleKey key) {
    return Optional.ofNullable(rules.get(key));
  }

  public boolean isBlocked(String reader, String seller) {
    return rules.containsKey(new RuleKey(reader, FavoriteKind.BLOCK, seller));
  }
}
