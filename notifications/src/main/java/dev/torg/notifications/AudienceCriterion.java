package dev.torg.notifications;

import dev.torg.api.v1.SearchQuery;
import dev.torg.platform.Home;
import java.util.Set;

/// Finds the recipients of a campaign by their offers. Another module implements it: this one knows neither offers nor
/// queries.
public interface AudienceCriterion {
  /// The sellers found by one page.
  ///
  /// @param sellers of the home, each at most once per page; a later page may name one again
  /// @param cursor where the next page begins
  /// @param last whether nothing follows
  record Page(Set<String> sellers, String cursor, boolean last) {
    public Page {
      sellers = Set.copyOf(sellers);
    }
  }

  /// Fails with INVALID and the field if the query is not valid.
  void check(SearchQuery query);

  /// The sellers of a home who have an active offer that matches. Examines a bounded number of offers. Blocks.
  ///
  /// @param cursor that of the former page, at first empty
  Page sellersWith(SearchQuery query, Home home, String cursor);
}
