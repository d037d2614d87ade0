package dev.torg.server.run;

import static dev.torg.server.run.TestTorg.list;
import static dev.torg.server.run.TestTorg.unauthenticated;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.server.run.TestTorg.HttpReply;
import dev.torg.server.run.TestTorg.TestUser;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Saved offers, notes, sellers, blocks and their lists, as clients call them.
class FavoriteRoutesIT {
  @RegisterExtension static final TestTorg TORG = TestTorg.shared();

  private static final String ADD = "/v1/favorites/offers:add";
  private static final String REMOVE = "/v1/favorites/offers:remove";
  private static final String OFFERS = "/v1/favorites?kind=OFFER";

  private final TestUser seller = TORG.user();
  private final TestUser buyer = TORG.user();

  @Test
  void addOffers_knownUnknownAndMalformed_eachHasItsCode() {
    String existing = TORG.publish(seller, "A lamp");
    String unknown = OfferId.random(Home.of(seller.subject())).toString();
    HttpReply added =
        TORG.post(buyer, ADD, list("offerIds", List.of(existing, unknown, "lamp"))).ok();
    assertThat(added.texts("results", "id")).containsExactly(existing, unknown, "lamp");
    assertThat(added.texts("results", "code")).containsExactly("OK", "NOT_FOUND", "INVALID");
    HttpReply listed = TORG.get(buyer, OFFERS).ok();
    assertThat(listed.texts("favorites", "id")).containsExactly(existing);
    assertThat(listed.body().at("/favorites/0/kind").asText()).isEqualTo("OFFER");
    assertThat(listed.body().at("/favorites/0/offer/offer/title").asText()).isEqualTo("A lamp");
    assertThat(listed.text("nextPageToken")).isEmpty();
  }

  @Test
  void addOffers_twice_savesOnce() {
    String id = TORG.publish(seller, "A lamp");
    add(id);
    HttpReply first = TORG.get(buyer, OFFERS).ok();
    assertThat(add(id).texts("results", "code")).containsExactly("OK");
    assertThat(TORG.get(buyer, OFFERS).body()).isEqualTo(first.body());
    assertThat(count("OFFER")).isEqualTo(1);
  }

  @Test
  void addOffers_badBatch_isInvalidWithItsField() {
    TORG.post(buyer, ADD, "{}").invalid("offerIds");
    TORG.post(buyer, ADD, list("offerIds", Collections.nCopies(501, "1"))).invalid("offerIds");
    TORG.post(buyer, ADD, list("offerIds", Collections.nCopies(500, "1"))).ok();
    TORG.post(buyer, ADD, "{\"offers\":[]}").invalid("offers");
    TORG.post(buyer, ADD, "{\"offerIds\":7}").invalid("offerIds");
    TORG.post(buyer, REMOVE, list("offerIds", Collections.nCopies(501, "1"))).invalid("offerIds");
  }

  @Test
  void favorites_withoutToken_areRefused() {
    TORG.post(unauthenticated(), ADD, list("offerIds", List.of("1"))).failed(401, "token.missing");
    TORG.get(unauthenticated(), OFFERS).failed(401, "token.missing");
    TORG.get(new TestUser("", "nonsense"), OFFERS).failed(401, "token.invalid");
  }

  @Test
  void favorites_serviceOnBehalf_areTheUsers() {
    String id = TORG.publish(seller, "A lamp");
    Map<String, String> behalf = Map.of("Torg-On-Behalf-Of", buyer.subject());
    String body = list("offerIds", List.of(id));
    TORG.send(TORG.service(), "POST", ADD, body, behalf).ok();
    assertThat(TORG.get(buyer, OFFERS).texts("favorites", "id")).containsExactly(id);
    TORG.send(seller, "POST", ADD, body, behalf).failed(403, "role.missing");
  }

  @Test
  void removeOffers_withNoteAndCollection_removesThemToo() {
    String id = TORG.publish(seller, "A lamp");
    TORG.put(buyer, "/v1/favorites/offers/" + id + "/note", "{\"text\":\"for the hall\"}").ok();
    String collection = TORG.post(buyer, "/v1/collections", "{\"name\":\"Hall\"}").ok().text("id");
    TORG.post(buyer, "/v1/collections/" + collection + "/offers:add", list("offerIds", List.of(id)))
        .ok();
    String removal = list("offerIds", List.of(id, "x"));
    assertThat(TORG.post(buyer, REMOVE, removal).ok().texts("results", "code"))
        .containsExactly("OK", "INVALID");
    assertThat(TORG.post(buyer, REMOVE, removal).ok().texts("results", "code"))
        .containsExactly("OK", "INVALID");
    assertThat(count("OFFER")).isZero();
    assertThat(count("NOTE")).isZero();
    assertThat(TORG.get(buyer, "/v1/collections").body().at("/collections/0/size").asInt())
        .isZero();
  }

  @Test
  void list_inPages_isNewestFirstAndComplete() {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      ids.add(TORG.publish(seller, "Lamp " + i));
      add(ids.getLast());
    }
    List<String> seen = new ArrayList<>();
    String token = "";
    do {
      HttpReply page = TORG.get(buyer, OFFERS + "&pageSize=3&pageToken=" + token).ok();
      seen.addAll(page.texts("favorites", "id"));
      token = page.text("nextPageToken");
    } while (!token.isEmpty());
    assertThat(seen).isEqualTo(ids.reversed());
    String after = TORG.get(buyer, OFFERS).body().at("/favorites/2/createdAt").asText();
    assertThat(TORG.get(buyer, OFFERS + "&createdAfter=" + after).ok().texts("favorites", "id"))
        .isEqualTo(ids.reversed().subList(0, 2));
  }

  @Test
  void list_badParameters_areInvalidWithTheirFields() {
    TORG.get(buyer, "/v1/favorites").invalid("kind");
    TORG.get(buyer, "/v1/favorites?kind=LAMP").invalid("kind");
    TORG.get(buyer, OFFERS + "&pageSize=201").invalid("pageSize");
    TORG.get(buyer, OFFERS + "&pageSize=-1").invalid("pageSize");
    TORG.get(buyer, OFFERS + "&pageToken=lamp").invalid("pageToken");
    for (String forged : List.of("-9223372036854775808 x", "9223372036854775807 x", "1 \0")) {
      String token = Base64.getUrlEncoder().withoutPadding().encodeToString(forged.getBytes(UTF_8));
      TORG.get(buyer, OFFERS + "&pageToken=" + token).invalid("pageToken");
    }
    TORG.get(buyer, "/v1/sellers/me/offers?pageToken=-1y2p0ij32e8e8.1").invalid("pageToken");
    TORG.get(buyer, OFFERS + "&createdAfter=yesterday").invalid("createdAfter");
    TORG.get(buyer, OFFERS + "&lamp=1").invalid("lamp");
  }

  @Test
  void counts_ofNewcomer_hasEveryKind() {
    HttpReply counts = TORG.get(TORG.anonymous(), "/v1/favorites/counts").ok();
    assertThat(counts.body().path("counts").properties())
        .extracting(Map.Entry::getKey)
        .containsExactlyInAnyOrder("OFFER", "SEARCH", "SELLER", "NOTE", "COLLECTION");
  }

  @Test
  void batchGet_someMissing_reportsWhich() {
    String id = TORG.publish(seller, "A lamp");
    add(id);
    String path = "/v1/favorites:batchGet";
    String ids = "{\"kind\":\"OFFER\",\"ids\":[\"%s\",\"lamp\"]}".formatted(id);
    HttpReply got = TORG.post(buyer, path, ids).ok();
    assertThat(got.texts("favorites", "id")).containsExactly(id);
    assertThat(got.body().at("/missing/0").asText()).isEqualTo("lamp");
    TORG.post(buyer, path, list("ids", List.of(id))).invalid("kind");
    String tooMany =
        list("ids", Collections.nCopies(501, "1")).replace("{", "{\"kind\":\"OFFER\",");
    TORG.post(buyer, path, tooMany).invalid("ids");
  }

  @Test
  void note_putAndDeleted_savesTheOfferAndKeepsIt() {
    String id = TORG.publish(seller, "A lamp");
    String path = "/v1/favorites/offers/" + id + "/note";
    HttpReply put = TORG.put(buyer, path, "{\"text\":\"ask about the shade\"}").ok();
    assertThat(put.text("offerId")).isEqualTo(id);
    assertThat(TORG.get(buyer, OFFERS).body().at("/favorites/0/offer/note").asText())
        .isEqualTo("ask about the shade");
    assertThat(TORG.get(buyer, "/v1/favorites?kind=NOTE").body().at("/favorites/0/note/text"))
        .hasToString("\"ask about the shade\"");
    TORG.delete(buyer, path).ok();
    TORG.delete(buyer, path).ok();
    assertThat(count("NOTE")).isZero();
    assertThat(count("OFFER")).isEqualTo(1);
  }

  @Test
  void note_badInput_isRefused() {
    String id = TORG.publish(seller, "A lamp");
    String path = "/v1/favorites/offers/" + id + "/note";
    TORG.put(buyer, path, "{}").invalid("text");
    TORG.put(buyer, path, "{\"text\":\"" + "я".repeat(2049) + "\"}").invalid("text");
    TORG.put(buyer, path, "{\"text\":\"" + "я".repeat(2048) + "\"}").ok();
    TORG.put(buyer, path, "{\"note\":\"x\"}").invalid("note");
    TORG.put(buyer, "/v1/favorites/offers/lamp/note", "{\"text\":\"x\"}").invalid("id");
    String unknown = OfferId.random(Home.of(seller.subject())).toString();
    TORG.put(buyer, "/v1/favorites/offers/" + unknown + "/note", "{\"text\":\"x\"}")
        .failed(404, "offer.not-found");
  }

  @Test
  void sellers_addedChangedRemoved_keepTheirSettings() {
    String body =
        "{\"sellerIds\":[\"%s\",\"a b\"],\"settings\":{\"delivery\":\"DAILY\",\"channels\":[\"PUSH\"]}}"
            .formatted(seller.subject());
    assertThat(TORG.post(buyer, "/v1/favorites/sellers:add", body).ok().texts("results", "code"))
        .containsExactly("OK", "INVALID");
    String path = "/v1/favorites/sellers/" + seller.subject();
    assertThat(sellerSettings("delivery")).isEqualTo("DAILY");
    TORG.patch(buyer, path, "{\"settings\":{\"delivery\":\"OFF\"}}").ok();
    assertThat(sellerSettings("delivery")).isEqualTo("OFF");
    TORG.patch(buyer, path, "{}").invalid("settings");
    TORG.patch(buyer, path, "{\"settings\":{\"delivery\":\"SOON\"}}").invalid("settings.delivery");
    TORG.patch(buyer, "/v1/favorites/sellers/user:nobody", "{\"settings\":{}}")
        .failed(404, "favorite.unknown");
    String removal = list("sellerIds", List.of(seller.subject()));
    TORG.post(buyer, "/v1/favorites/sellers:remove", removal).ok();
    TORG.post(buyer, "/v1/favorites/sellers:remove", removal).ok();
    assertThat(count("SELLER")).isZero();
    TORG.post(buyer, "/v1/favorites/sellers:add", "{\"sellerIds\":[]}").invalid("sellerIds");
  }

  @Test
  void blocks_putAndDeleted_canBeRepeated() {
    String path = "/v1/blocks/" + seller.subject();
    TORG.put(buyer, path, "").ok();
    TORG.put(buyer, path, "{}").ok();
    TORG.delete(buyer, path).ok();
    TORG.delete(buyer, path).ok();
    TORG.put(TORG.anonymous(), path, "").ok();
    TORG.put(buyer, "/v1/blocks/anon:1", "").invalid("seller");
    TORG.put(buyer, "/v1/blocks/me", "").invalid("seller");
    TORG.put(unauthenticated(), path, "").failed(401, "token.missing");
  }

  @Test
  void saveCount_manySavers_isExactOnceProjectedAndNeedsNoToken() {
    String id = TORG.publish(seller, "A lamp");
    List<TestUser> savers = List.of(TORG.user(), TORG.anonymous(), TORG.user());
    savers.forEach(saver -> TORG.post(saver, ADD, list("offerIds", List.of(id))).ok());
    TestTorg.await("three savers are counted", () -> saveCount(id) == 3);
    TORG.post(savers.getFirst(), REMOVE, list("offerIds", List.of(id))).ok();
    TestTorg.await("one has left", () -> saveCount(id) == 2);
    TORG.get(unauthenticated(), "/v1/offers/lamp/saveCount").invalid("id");
  }

  private HttpReply add(String id) {
    return TORG.post(buyer, ADD, list("offerIds", List.of(id))).ok();
  }

  private int count(String kind) {
    return TORG.get(buyer, "/v1/favorites/counts").ok().body().at("/counts/" + kind).asInt();
  }

  private int saveCount(String id) {
    return TORG.get(unauthenticated(), "/v1/offers/" + id + "/saveCount")
        .ok()
        .body()
        .path("count")
        .asInt();
  }

  private String sellerSettings(String field) {
    return TORG.get(buyer, "/v1/favorites?kind=SELLER")
        .body()
        .at("/favorites/0/seller/settings/" + field)
        .asText();
  }
}
