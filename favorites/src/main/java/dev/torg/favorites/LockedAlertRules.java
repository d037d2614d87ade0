package dev.torg.favorites;

import java.util.Map;
import java.util.Optional;

/// The rules that hold until the transaction ends, and the readers that have moved to a login
/// (anonymous → login), of whom no rules are given.
public record LockedAlertRules(Map<AlertRuleKey, AlertRule> rules, Map<String, String> moved) {
  public LockedAlertRules {
    rules = Map.copyOf(rules);
    moved = Map.copyOf(moved);
  }

  public Optional<AlertRule> rule(AlertRuleKey key) {
    return Optional.ofNullable(rules.get(key));
  }

  public boolean isBlocked(String reader, String seller) {
    return rules.containsKey(new AlertRuleKey(reader, FavoriteKind.BLOCK, seller));
  }
}
