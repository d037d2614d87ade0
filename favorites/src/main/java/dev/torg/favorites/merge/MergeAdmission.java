package dev.torg.favorites.merge;

import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.FavoriteLimits;
import java.util.Map;
import java.util.function.Function;

/// Refuses a further login merge while an earlier one has raised the login above a limit. A merge loses
/// nothing and is not limited itself, so repeated merges of new anonymous identities would raise a login
/// without bound. Blocks.
///
/// @param counts the number of favorites of an owner, by kind
/// @param limits of a login
public record MergeAdmission(
    Function<String, Map<FavoriteKind, Integer>> counts, FavoriteLimits limits) {
  void check(String login) {
    counts
        .apply(login)
        .forEach(
            (kind, count) -> {
              if (count > limits.of(kind)) {
                throw limits.exceeded(kind);
              }
            });
  }
}
