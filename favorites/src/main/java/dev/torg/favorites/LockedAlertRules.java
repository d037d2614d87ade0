package dev.torg.favorites;

import java.util.Map;
import java.util.Optional;

/// The rules that exist until the transaction ends, and the recipients whose identities were merged into a
/// login (anonymous → login), without rules.
public record LockedAlertRules(Map<AlertRuleKey, AlertRule> rules, Map<String, String> mergedInto) {
  public LockedAlertRules {
    rules = Map.copyOf(rules);
    mergedInto = Map.copyOf(mergedInto);
  }

  public Optional<AlertRule> rule(AlertRuleKey key) {
    return Optional.ofNullable(rules.get(key));
  }

  public boolean isBlocked(String recipient, String seller) {
    return rules.containsKey(new AlertRuleKey(recipient, FavoriteKind.BLOCK, seller));
  }
}
