package dev.torg.server.run;

import static dev.torg.server.run.TestTorg.list;
import static dev.torg.server.run.TestTorg.unauthenticated;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.server.run.TestTorg.HttpReply;
import dev.torg.server.run.TestTorg.TestUser;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Saved searches, collections and the login merge, as clients call them.
class SearchRoutesIT {
  @RegisterExtension static final TestTorg TORG = TestTorg.shared();

  private static final String SEARCHES = "/v1/favorites/searches";
  private static final String COLLECTIONS = "/v1/collections";
  private static final String MERGE = "/v1/favorites:moveFromAnonymous";

  private final TestUser seller = TORG.user();
  private final TestUser buyer = TORG.user();

  @Test
  void saveSearch_new_countsExistingOffers() {
    TORG.publish(seller, "Red bicycle", "clothes", "de/bayern/80331");
    TORG.publish(seller, "A red bicycle bell", "clothes", "de/bayern");
    TORG.publish(seller, "Blue bicycle", "clothes", "de/bayern");
    TORG.publish(seller, "Red bicycle", "clothes", "de/bayernwald");
    TORG.publish(seller, "Red bicycle", "electronics", "de/bayern");
    String removed = TORG.publish(seller, "Red bicycle", "clothes", "de/bayern");
    TORG.post(seller, "/v1/offers/" + removed + ":withdraw", "{}").ok();
    String query =
        "{\"category\":\"clothes\",\"regions\":[\"de/bayern\"],\"text\":\"red bicycles\"}";
    HttpReply saved =
        TORG.post(buyer, SEARCHES, "{\"query\":%s,\"name\":\"Bikes\"}".formatted(query));
    assertThat(saved.ok().body().at("/estimate/offersNow").asText()).isEqualTo("2");
    assertThat(saved.body().at("/estimate").has("alertsPerDay")).isFalse();
    assertThat(saved.body().at("/settings/delivery").asText()).isEqualTo("INSTANT");
    HttpReply estimate = TORG.post(buyer, SEARCHES + ":estimate", "{\"query\":" + query + "}").ok();
    assertThat(estimate.text("offersNow")).isEqualTo("2");
  }

  @Test
  void saveSearch_otherFieldOrder_isTheSameSearch() {
    String first =
        save("{\"query\":{\"text\":\"lamp red\",\"category\":\"electronics\"},\"name\":\"Lamps\"}");
    String second = save("{\"query\":{\"category\":\"electronics\",\"text\":\"red LAMPS\"}}");
    assertThat(second).isEqualTo(first);
    HttpReply listed = TORG.get(buyer, "/v1/favorites?kind=SEARCH").ok();
    assertThat(listed.texts("favorites", "id")).containsExactly(first);
    assertThat(listed.body().at("/favorites/0/search/name").asText()).isEqualTo("Lamps");
  }

  @Test
  void why_ofASearchThatMisses_namesTheClause() {
    save("{\"query\":{\"text\":\"green zither\"},\"name\":\"Zithers\"}");
    String offer = TORG.publish(seller, "Red zither");
    HttpReply explanation = TORG.get(buyer, "/v1/offers/" + offer + "/why").ok();
    assertThat(explanation.texts("rules", "kind")).containsExactly("SEARCH");
    assertThat(explanation.body().at("/rules/0/name").asText()).isEqualTo("Zithers");
    assertThat(explanation.body().at("/rules/0/matches").asBoolean()).isFalse();
    assertThat(explanation.body().at("/rules/0/failingClauses").toString()).contains("green");
    assertThat(TORG.get(unauthenticated(), "/v1/offers/" + offer + "/why").status()).isEqualTo(401);
  }

  @Test
  void saveSearch_badInput_isInvalidWithItsField() {
    TORG.post(buyer, SEARCHES, "{\"query\":{}}").invalid("query");
    TORG.post(buyer, SEARCHES, "{\"query\":{\"lamp\":1}}").invalid("query.lamp");
    TORG.post(buyer, SEARCHES, "{\"query\":{\"price\":{\"from\":{\"amount\":\"1\"}}}}")
        .invalid("query.price");
    TORG.post(buyer, SEARCHES, "{\"query\":{\"filters\":[{\"key\":\"brand\"}]}}")
        .invalid("query.filters");
    String name = "x".repeat(201);
    TORG.post(buyer, SEARCHES, "{\"query\":{\"text\":\"lamp\"},\"name\":\"" + name + "\"}")
        .invalid("name");
    TORG.post(buyer, SEARCHES + ":estimate", "{}").invalid("query");
    TORG.post(unauthenticated(), SEARCHES, "{\"query\":{\"text\":\"lamp\"}}")
        .failed(401, "token.missing");
  }

  @Test
  void search_changedAndRemoved_followsTheCalls() {
    String id = save("{\"query\":{\"text\":\"lamp\"}}");
    String change = "{\"name\":\"Lamps\",\"settings\":{\"delivery\":\"OFF\"}}";
    HttpReply changed = TORG.patch(buyer, SEARCHES + "/" + id, change).ok();
    assertThat(changed.text("name")).isEqualTo("Lamps");
    assertThat(changed.body().at("/settings/delivery").asText()).isEqualTo("OFF");
    HttpReply renamed = TORG.patch(buyer, SEARCHES + "/" + id, "{\"name\":\"\"}").ok();
    assertThat(renamed.text("name")).isEmpty();
    assertThat(renamed.body().at("/settings/delivery").asText()).isEqualTo("OFF");
    TORG.patch(TORG.user(), SEARCHES + "/" + id, change).failed(404, "favorite.unknown");
    TORG.post(buyer, SEARCHES + ":remove", list("searchIds", List.of(id, "x"))).ok();
    TORG.post(buyer, SEARCHES + ":remove", "{}").invalid("searchIds");
    assertThat(TORG.get(buyer, "/v1/favorites?kind=SEARCH").body().path("favorites")).isEmpty();
  }

  @Test
  void collection_createdFilledRenamedDeleted_keepsTheOffers() {
    String id = TORG.post(buyer, COLLECTIONS, "{\"name\":\" Hall \"}").ok().text("id");
    List<String> offers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      offers.add(TORG.publish(seller, "Lamp " + i));
      fill(id, "add", offers.getLast());
    }
    assertThat(fill(id, "add", "lamp").texts("results", "code")).containsExactly("INVALID");
    fill(id, "add", offers.getFirst());
    fill(id, "remove", offers.get(1));
    HttpReply page = TORG.get(buyer, COLLECTIONS + "/" + id + "/offers?pageSize=1").ok();
    assertThat(page.texts("offers", "id")).containsExactly(offers.get(2));
    String next = "/offers?pageSize=1&pageToken=" + page.text("nextPageToken");
    assertThat(TORG.get(buyer, COLLECTIONS + "/" + id + next).ok().texts("offers", "id"))
        .containsExactly(offers.getFirst());
    HttpReply renamed = TORG.patch(buyer, COLLECTIONS + "/" + id, "{\"name\":\"Cellar\"}").ok();
    assertThat(renamed.body().path("size").asInt()).isEqualTo(2);
    assertThat(TORG.get(buyer, COLLECTIONS).ok().texts("collections", "name"))
        .containsExactly("Cellar");
    TORG.delete(buyer, COLLECTIONS + "/" + id).ok();
    assertThat(TORG.get(buyer, COLLECTIONS).ok().body().path("collections")).isEmpty();
    assertThat(TORG.get(buyer, "/v1/favorites?kind=OFFER").body().path("favorites")).hasSize(3);
  }

  @Test
  void collection_badInput_isRefused() {
    TORG.post(buyer, COLLECTIONS, "{\"name\":\"\"}").invalid("name");
    TORG.post(buyer, COLLECTIONS, "{\"name\":\"  \"}").invalid("name");
    TORG.post(buyer, COLLECTIONS, "{\"name\":\"" + "я".repeat(101) + "\"}").invalid("name");
    String id =
        TORG.post(buyer, COLLECTIONS, "{\"name\":\"" + "я".repeat(100) + "\"}").ok().text("id");
    TORG.post(buyer, COLLECTIONS, "{\"name\":\"" + "я".repeat(100) + "\"}")
        .failed(409, "collection.name-taken");
    TORG.post(buyer, COLLECTIONS, "{\"title\":\"x\"}").invalid("title");
    TORG.patch(buyer, COLLECTIONS + "/" + id, "{}").invalid("name");
    TORG.patch(buyer, COLLECTIONS + "/none", "{\"name\":\"x\"}").failed(404, "collection.unknown");
    TORG.get(buyer, COLLECTIONS + "/none/offers").failed(404, "collection.unknown");
    TORG.get(TORG.user(), COLLECTIONS + "/" + id + "/offers").failed(404, "collection.unknown");
    TORG.get(buyer, COLLECTIONS + "?pageSize=201").invalid("pageSize");
    String tooMany = list("offerIds", Collections.nCopies(501, "1"));
    TORG.post(buyer, COLLECTIONS + "/" + id + "/offers:add", tooMany).invalid("offerIds");
    TORG.post(buyer, COLLECTIONS + "/" + id + "/offers:remove", tooMany).invalid("offerIds");
    TORG.post(unauthenticated(), COLLECTIONS, "{\"name\":\"x\"}").failed(401, "token.missing");
  }

  @Test
  void createCollection_sameKey_isTheSameCollection() {
    Map<String, String> key = Map.of("Idempotency-Key", "k1");
    String body = "{\"name\":\"Hall\"}";
    HttpReply first = TORG.send(buyer, "POST", COLLECTIONS, body, key).ok();
    assertThat(TORG.send(buyer, "POST", COLLECTIONS, body, key).ok().body())
        .isEqualTo(first.body());
    assertThat(TORG.get(buyer, COLLECTIONS).body().path("collections")).hasSize(1);
  }

  @Test
  void merge_withBothTokens_movesEverything() {
    TestUser anonymous = TORG.anonymous();
    String id = TORG.publish(seller, "A lamp");
    TORG.put(anonymous, "/v1/favorites/offers/" + id + "/note", "{\"text\":\"old\"}").ok();
    TORG.post(anonymous, SEARCHES, "{\"query\":{\"text\":\"lamp\"}}").ok();
    TORG.post(anonymous, COLLECTIONS, "{\"name\":\"Hall\"}").ok();
    TORG.put(anonymous, "/v1/notifications/settings", "{\"language\":\"ru\"}").ok();
    TORG.put(buyer, "/v1/favorites/offers/" + id + "/note", "{\"text\":\"mine\"}").ok();
    String body = "{\"anonymousToken\":\"" + anonymous.token() + "\"}";
    HttpReply merged = TORG.post(buyer, MERGE, body).ok();
    assertThat(merged.body().at("/moved/SEARCH").asInt()).isEqualTo(1);
    assertThat(merged.body().at("/moved/COLLECTION").asInt()).isEqualTo(1);
    TORG.post(buyer, MERGE, body).ok();
    HttpReply counts = TORG.get(buyer, "/v1/favorites/counts").ok();
    assertThat(counts.body().at("/counts/OFFER").asInt()).isEqualTo(1);
    assertThat(counts.body().at("/counts/SEARCH").asInt()).isEqualTo(1);
    assertThat(TORG.get(buyer, "/v1/favorites?kind=OFFER").body().at("/favorites/0/offer/note"))
        .hasToString("\"mine\"");
    assertThat(TORG.get(buyer, "/v1/notifications/settings").ok().text("language")).isEqualTo("ru");
    assertThat(TORG.get(anonymous, "/v1/favorites?kind=OFFER").body().path("favorites")).isEmpty();
    assertThat(
            TORG.post(anonymous, "/v1/favorites/offers:add", list("offerIds", List.of(id)))
                .status())
        .isEqualTo(409);
  }

  @Test
  void merge_withoutBothTokens_isRefused() {
    TestUser anonymous = TORG.anonymous();
    String body = "{\"anonymousToken\":\"" + anonymous.token() + "\"}";
    TORG.post(unauthenticated(), MERGE, body).failed(401, "token.missing");
    TORG.post(TORG.anonymous(), MERGE, body).failed(401, "login.required");
    TORG.post(buyer, MERGE, "{\"anonymousToken\":\"" + seller.token() + "\"}")
        .invalid("anonymousToken");
    assertThat(TORG.post(buyer, MERGE, "{\"anonymousToken\":\"x\"}").status()).isEqualTo(401);
    assertThat(TORG.post(buyer, MERGE, "{}").status()).isEqualTo(401);
  }

  private String save(String body) {
    return TORG.post(buyer, SEARCHES, body).ok().text("searchId");
  }

  private HttpReply fill(String collection, String verb, String offer) {
    String path = COLLECTIONS + "/" + collection + "/offers:" + verb;
    return TORG.post(buyer, path, list("offerIds", List.of(offer))).ok();
  }
}
