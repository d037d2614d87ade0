package dev.torg.alerts.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.eligibility.CandidateAlert;
import dev.torg.alerts.eligibility.EligibleAlert;
import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertContent;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.SearchQuery;
import dev.torg.favorites.AlertRule;
import dev.torg.favorites.AlertRuleKey;
import dev.torg.favorites.AlertRules;
import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.LockedAlertRules;
import dev.torg.offers.category.Categories;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Tx;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RemainingReasonFinderTest {
  private static final Instant ACTIVATED = Instant.parse("2026-05-04T10:00:00Z");
  private static final String RECIPIENT = "user:recipient";

  private final SavedSearches searches = new SavedSearches();

  private List<String> found(CandidateAlert... candidates) throws Exception {
    return found(Delivery.INSTANT, List.of(candidates));
  }

  /// The search for each candidate, or an empty text.
  private List<String> found(Delivery delivery, List<CandidateAlert> candidates) throws Exception {
    Map<CandidateAlert, EligibleAlert.MatchedRule> matched =
        new RemainingReasonFinder(searches, new Categories(List.of()))
            .find(null, candidates, delivery);
    List<String> ids = new ArrayList<>();
    for (CandidateAlert candidate : candidates) {
      EligibleAlert.MatchedRule rule = matched.get(candidate);
      ids.add(rule == null ? "" : rule.reason().id());
    }
    return ids;
  }

  private static CandidateAlert candidate(String recipient, String title, Instant activated) {
    Offer offer =
        Offer.newBuilder()
            .setId(OfferId.random(new Home(7)).toString())
            .setSellerId("user:seller")
            .setTitle(title)
            .setActivatedAt(EpochMicros.timestamp(EpochMicros.of(activated)))
            .build();
    return new CandidateAlert(
        new Alert(recipient, AlertContent.newOffer(offer, activated), Set.of(), true), offer);
  }

  private static CandidateAlert golf() {
    return candidate(RECIPIENT, "A golf", ACTIVATED);
  }

  /// Milliseconds are relative to the activation.
  private void save(String recipient, String id, String text, long savedAfterMillis) {
    searches.save(
        recipient,
        id,
        SearchQuery.newBuilder().setText(text),
        ACTIVATED.plusMillis(savedAfterMillis));
  }

  @ParameterizedTest
  @CsvSource({"golf, -1, q", "golf, 0, ''", "golf, 1, ''", "polo, -1, ''"})
  void find_oneSearch_mustMatchAndBeOlderThanTheOffer(
      String text, long savedAfterMillis, String expected) throws Exception {
    save(RECIPIENT, "q", text, savedAfterMillis);
    assertThat(found(golf())).containsExactly(expected);
  }

  @Test
  void find_severalMatch_returnsTheLatest() throws Exception {
    save(RECIPIENT, "early", "golf", -30);
    save(RECIPIENT, "late", "golf", -10);
    save(RECIPIENT, "latest but another", "polo", -5);
    assertThat(found(golf())).containsExactly("late");
  }

  @Test
  void find_otherDelivery_isNotFound() throws Exception {
    save(RECIPIENT, "q", "golf", -1);
    assertThat(found(Delivery.DAILY, List.of(golf()))).containsExactly("");
  }

  @Test
  void find_searchOfAnotherRecipient_isNotFound() throws Exception {
    save("user:another", "q", "golf", -1);
    assertThat(found(golf(), candidate("user:another", "A golf", ACTIVATED)))
        .containsExactly("", "q");
  }

  @Test
  void find_queryThatCannotBeRead_matchesNothing() throws Exception {
    searches.save(RECIPIENT, "none", SearchQuery.newBuilder(), ACTIVATED.minusMillis(1));
    save(RECIPIENT, "q", "golf", -2);
    assertThat(found(golf())).containsExactly("q");
  }

  /// The search is older than one offer only.
  @Test
  void find_severalOffersOfARecipient_eachHasItsOwnSearch() throws Exception {
    save(RECIPIENT, "cars", "golf", -10);
    save(RECIPIENT, "bikes", "bike", 5);
    assertThat(
            found(
                golf(),
                candidate(RECIPIENT, "A bike", ACTIVATED),
                candidate(RECIPIENT, "A bike", ACTIVATED.plusMillis(10))))
        .containsExactly("cars", "", "bikes");
    assertThat(searches.limits).containsExactly(2_000);
  }

  @Test
  void find_moreSearchesThanAPage_readsOn() throws Exception {
    save(RECIPIENT, "q", "golf", -5_000);
    IntStream.range(0, 4_000).forEach(i -> save(RECIPIENT, "other" + i, "polo", -1 - i));
    assertThat(found(golf())).containsExactly("q");
    assertThat(searches.limits).containsExactly(2_000, 2_000, 2_000);
  }

  @Test
  void find_allOffersMatched_readsNoFurtherPage() throws Exception {
    save(RECIPIENT, "q", "golf", -1);
    IntStream.range(0, 4_000).forEach(i -> save(RECIPIENT, "other" + i, "polo", -2 - i));
    assertThat(found(golf())).containsExactly("q");
    assertThat(searches.limits).containsExactly(2_000);
  }

  @Test
  void find_manyRecipients_readsThemInGroups() throws Exception {
    List<CandidateAlert> candidates =
        IntStream.range(0, 250).mapToObj(i -> candidate("user:" + i, "A golf", ACTIVATED)).toList();
    candidates.forEach(candidate -> save(candidate.alert().recipient(), "q", "golf", -1));
    assertThat(found(Delivery.INSTANT, candidates)).hasSize(250).containsOnly("q");
    assertThat(searches.recipients).containsExactly(100, 100, 50);
    assertThat(searches.limits).containsExactly(20, 20, 40);
  }

  @Test
  void find_noCandidates_readsNothing() throws Exception {
    assertThat(found()).isEmpty();
    assertThat(searches.limits).isEmpty();
  }

  /// INSTANT searches in memory, and the sizes of the queries.
  private static final class SavedSearches implements AlertRules {
    private static final Comparator<OwnSearch> LATEST_FIRST =
        Comparator.comparing((OwnSearch search) -> search.rule().createdAt())
            .thenComparing(search -> search.rule().key().id())
            .reversed();

    final List<Integer> recipients = new ArrayList<>();
    final List<Integer> limits = new ArrayList<>();
    private final List<OwnSearch> all = new ArrayList<>();

    void save(String recipient, String id, SearchQuery.Builder query, Instant at) {
      AlertRuleKey key = new AlertRuleKey(recipient, FavoriteKind.SEARCH, id);
      AlertRule rule = new AlertRule(key, at, Delivery.INSTANT, List.of(), "", 0, 0);
      all.add(new OwnSearch(rule, query.build()));
    }

    @Override
    public List<OwnSearch> searches(
        Tx tx, Map<String, SearchCursor> after, Delivery delivery, int limit) {
      recipients.add(after.size());
      limits.add(limit);
      List<OwnSearch> found = new ArrayList<>();
      after.forEach(
          (recipient, cursor) ->
              all.stream()
                  .filter(search -> search.rule().key().recipient().equals(recipient))
                  .filter(search -> search.rule().delivery() == delivery)
                  .filter(search -> isAfter(search, cursor))
                  .sorted(LATEST_FIRST)
                  .limit(limit)
                  .forEach(found::add));
      return found;
    }

    private static boolean isAfter(OwnSearch search, SearchCursor cursor) {
      int byTime = search.rule().createdAt().compareTo(cursor.createdAt());
      return byTime < 0 || byTime == 0 && search.rule().key().id().compareTo(cursor.id()) < 0;
    }

    @Override
    public LockedAlertRules lockForShare(Tx tx, Collection<AlertRuleKey> keys) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<PriceUpdate> updateKnownPrices(Tx tx, List<PriceUpdate> prices) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void countMatches(Tx tx, Collection<AlertRuleKey> counted, Instant at) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void countMatches(Tx tx, Map<AlertRuleKey, Integer> counted, Instant at) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<OwnSearch> searches(
        Tx tx, String owner, Set<Delivery> deliveries, SearchCursor after, int limit) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Map<AlertRuleKey, AlertRule> rules(Tx tx, Collection<AlertRuleKey> keys) {
      throw new UnsupportedOperationException();
    }
  }
}
