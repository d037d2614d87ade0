package dev.torg.favorites;

import static dev.torg.favorites.FavoritesFixture.newUser;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.api.v1.DeliverySettings;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.Estimate;
import dev.torg.api.v1.EstimateSearchRequest;
import dev.torg.api.v1.Filter;
import dev.torg.api.v1.Money;
import dev.torg.api.v1.NumberRange;
import dev.torg.api.v1.PriceRange;
import dev.torg.api.v1.SaveSearchRequest;
import dev.torg.api.v1.SavedSearch;
import dev.torg.api.v1.SearchEvent;
import dev.torg.api.v1.SearchIds;
import dev.torg.api.v1.SearchQuery;
import dev.torg.api.v1.UpdateSearchRequest;
import dev.torg.favorites.AlertRules.SearchCursor;
import dev.torg.favorites.rpc.FavoriteRpc;
import dev.torg.favorites.write.AlertRuleStore;
import dev.torg.platform.Failure;
import dev.torg.testkit.TestDatabase;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SavedSearchesIT {
  @RegisterExtension static final TestDatabase TABLES = FavoritesFixture.tables();

  private static final FavoritesFixture FIXTURE = new FavoritesFixture(TABLES);

  @AfterAll
  static void close() {
    FIXTURE.close();
  }

  @AfterEach
  void reset() {
    FIXTURE.alertsPerDay = OptionalDouble.empty();
    FIXTURE.offersNow = 3;
  }

  @Test
  void save_sameSearchOtherFieldOrder_isTheSame() {
    String owner = newUser();
    SavedSearch first = save(owner, query(false), "old bmw");
    SavedSearch repeated = save(owner, query(true), "");
    assertThat(repeated.getSearchId()).isEqualTo(first.getSearchId());
    assertThat(repeated.getCreatedAt()).isEqualTo(first.getCreatedAt());
    assertThat(repeated.getName()).isEqualTo("old bmw");
    assertThat(repeated.getQuery()).isEqualTo(query(false));
    assertThat(FIXTURE.favoriteEvents(owner)).hasSize(1);
  }

  @Test
  void save_estimate_isCountedAndNeverInvented() {
    SavedSearch saved = save(newUser(), query(false), "");
    assertThat(saved.getEstimate().getOffersNow()).isEqualTo("3");
    assertThat(saved.getEstimate().hasAlertsPerDay()).isFalse();
    FIXTURE.offersNow = 1001;
    FIXTURE.alertsPerDay = OptionalDouble.of(2.5);
    Estimate estimate =
        FIXTURE.as(
            newUser(),
            EstimateSearchRequest.newBuilder().setQuery(query(false)).build(),
            FavoriteRpc::estimateSearch);
    assertThat(estimate)
        .isEqualTo(Estimate.newBuilder().setOffersNow("1000+").setAlertsPerDay(2.5).build());
  }

  @Test
  void save_tooBroad_isDailyWithHint() {
    FIXTURE.alertsPerDay = OptionalDouble.of(501);
    String owner = newUser();
    SavedSearch saved = save(owner, query(false), "");
    assertThat(saved.getSettings().getDelivery()).isEqualTo(Delivery.DAILY);
    assertThat(saved.getHint()).contains("501").contains("DAILY");
    SavedSearch requested = update(owner, saved.getSearchId(), Delivery.INSTANT);
    assertThat(requested.getSettings().getDelivery()).isEqualTo(Delivery.DAILY);
    assertThat(requested.getHint()).isNotEmpty();
    assertThat(update(owner, saved.getSearchId(), Delivery.OFF).getSettings().getDelivery())
        .isEqualTo(Delivery.OFF);
  }

  @Test
  void save_tooBroadAgainWithoutSettings_keepsTheOwnersSettings() {
    String owner = newUser();
    String id = save(owner, query(false), "").getSearchId();
    FIXTURE.alertsPerDay = OptionalDouble.of(501);
    update(owner, id, settings(Delivery.OFF, "EMAIL"));
    SavedSearch off = save(owner, query(true), "");
    assertThat(off.getSettings()).isEqualTo(settings(Delivery.OFF, "EMAIL"));
    assertThat(off.getHint()).isEmpty();
    FIXTURE.alertsPerDay = OptionalDouble.empty();
    update(owner, id, settings(Delivery.INSTANT, "EMAIL"));
    FIXTURE.alertsPerDay = OptionalDouble.of(501);
    SavedSearch daily = save(owner, query(true), "");
    assertThat(daily.getSettings()).isEqualTo(settings(Delivery.DAILY, "EMAIL"));
    assertThat(daily.getHint()).contains("DAILY");
  }

  /// No delivery is INSTANT in between.
  @Test
  void update_tooBroadToInstant_isNeverInstant() {
    String owner = newUser();
    String id = save(owner, query(false), "").getSearchId();
    update(owner, id, Delivery.OFF);
    FIXTURE.alertsPerDay = OptionalDouble.of(501);
    update(owner, id, Delivery.INSTANT);
    assertThat(FIXTURE.favoriteEvents(owner))
        .extracting(event -> event.getSettings().getDelivery())
        .containsExactly(Delivery.INSTANT, Delivery.OFF, Delivery.DAILY);
  }

  @Test
  void update_unknownSearch_isNotFound() {
    assertThatThrownBy(() -> update(newUser(), "00", Delivery.INSTANT))
        .isInstanceOfSatisfying(
            Failure.class, f -> assertThat(f.kind()).isEqualTo(Failure.Kind.NOT_FOUND));
  }

  @Test
  void save_ordinarySearch_isInstantWithoutHint() {
    FIXTURE.alertsPerDay = OptionalDouble.of(500);
    SavedSearch saved = save(newUser(), query(false), "");
    assertThat(saved.getSettings().getDelivery()).isEqualTo(Delivery.INSTANT);
    assertThat(saved.getHint()).isEmpty();
  }

  @Test
  void subscribers_firstAndLast_announceTheSearch() {
    String user = newUser();
    String other = newUser();
    SearchQuery query = SearchQuery.newBuilder().setText("rare thing " + user).build();
    String id = save(user, query, "").getSearchId();
    FIXTURE.project();
    save(other, query, "");
    FIXTURE.project();
    assertThat(FIXTURE.searchEvents(id)).extracting(SearchEvent::getRemoved).containsExactly(false);
    assertThat(FIXTURE.searchEvents(id).getFirst().getQuery()).isEqualTo(query);
    remove(user, id);
    FIXTURE.project();
    assertThat(FIXTURE.searchEvents(id)).hasSize(1);
    assertThat(FIXTURE.wiring.audiences().subscribers(id, "", 10))
        .extracting(Audiences.Member::owner)
        .containsExactly(other);
    remove(other, id);
    FIXTURE.project();
    assertThat(FIXTURE.searchEvents(id))
        .extracting(SearchEvent::getRemoved)
        .containsExactly(false, true);
    save(user, query, "");
    FIXTURE.project();
    List<SearchEvent> events = FIXTURE.searchEvents(id);
    assertThat(events).extracting(SearchEvent::getRemoved).containsExactly(false, true, false);
    assertThat(events).extracting(SearchEvent::getSeq).isSorted().doesNotHaveDuplicates();
  }

  private static List<AlertRules.OwnSearch> page(
      String owner, Set<Delivery> deliveries, SearchCursor after, int limit) {
    return FIXTURE.database.read(
        tx -> new AlertRuleStore().searches(tx, owner, deliveries, after, limit));
  }

  @Test
  void searches_pageByPage_areAllWithQueriesLatestFirst() {
    String owner = newUser();
    save(owner, query(false), "one");
    save(owner, SearchQuery.newBuilder().setCategory("flats-sale").build(), "two");
    save(owner, SearchQuery.newBuilder().setCategory("pets").build(), "three");
    var first = page(owner, AlertRules.ANY_DELIVERY, SearchCursor.START, 2);
    assertThat(first).extracting(search -> search.rule().name()).containsExactly("three", "two");
    var second = page(owner, AlertRules.ANY_DELIVERY, first.getLast().cursor(), 2);
    assertThat(second).extracting(search -> search.rule().name()).containsExactly("one");
    assertThat(second.getLast().query()).isEqualTo(query(false));
    assertThat(page(owner, Set.of(Delivery.OFF), SearchCursor.START, 2)).isEmpty();
    assertThat(page(owner, Set.of(Delivery.INSTANT), SearchCursor.START, 9)).hasSize(3);
  }

  private static SearchQuery query(boolean otherOrder) {
    Filter brand = Filter.newBuilder().setKey("brand").addAnyOf("BMW").addAnyOf("Audi").build();
    Filter brandTurned =
        Filter.newBuilder().setKey("brand").addAnyOf("audi").addAnyOf("bmw").build();
    Filter year =
        Filter.newBuilder().setKey("year").setRange(NumberRange.newBuilder().setFrom(2015)).build();
    SearchQuery.Builder query =
        SearchQuery.newBuilder()
            .setCategory("cars")
            .setPrice(
                PriceRange.newBuilder()
                    .setTo(Money.newBuilder().setAmount(1_500_000).setCurrency("EUR")));
    return otherOrder
        ? query.setText("leather navi").addFilters(year).addFilters(brandTurned).build()
        : query.setText("navi leather").addFilters(brand).addFilters(year).build();
  }

  private static SavedSearch save(String owner, SearchQuery query, String name) {
    return FIXTURE.as(
        owner,
        SaveSearchRequest.newBuilder().setQuery(query).setName(name).build(),
        FavoriteRpc::saveSearch);
  }

  private static DeliverySettings settings(Delivery delivery, String... channels) {
    return DeliverySettings.newBuilder()
        .setDelivery(delivery)
        .addAllChannels(List.of(channels))
        .build();
  }

  private static SavedSearch update(String owner, String id, Delivery delivery) {
    return update(owner, id, settings(delivery));
  }

  private static SavedSearch update(String owner, String id, DeliverySettings settings) {
    return FIXTURE.as(
        owner,
        UpdateSearchRequest.newBuilder().setId(id).setSettings(settings).build(),
        FavoriteRpc::updateSearch);
  }

  private static void remove(String owner, String id) {
    FIXTURE.as(owner, SearchIds.newBuilder().addSearchIds(id).build(), FavoriteRpc::removeSearches);
  }
}
