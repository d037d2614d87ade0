package dev.torg.server.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.server.run.TestTorg.HttpReply;
import dev.torg.server.run.TestTorg.TestUser;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Lists of offers with texts of maximum length: pages end where a response would become too large.
class LargePagesIT {
  @RegisterExtension static final TestTorg TORG = TestTorg.shared();

  static final int OFFERS = 16;

  /// 90 kB each: eleven of them fit a page.
  static final String DESCRIPTION = "€".repeat(30_000);

  private final TestUser seller = TORG.user();

  @Test
  void sellersOffers_withLongTexts_haveShorterPages() {
    List<String> published = publish("electronics", "{}");
    assertThat(pages("/v1/sellers/me/offers?pageSize=200", "offers", seller))
        .containsExactlyInAnyOrderElementsOf(published);
  }

  @Test
  void favorites_withLongTexts_haveShorterPages() {
    List<String> published = publish("electronics", "{}");
    TestUser buyer = TORG.user();
    TORG.post(buyer, "/v1/favorites/offers:add", TestTorg.list("offerIds", published)).ok();
    assertThat(pages("/v1/favorites?kind=OFFER&pageSize=200", "favorites", buyer))
        .containsExactlyInAnyOrderElementsOf(published);
  }

  @Test
  void moderationQueue_withLongTexts_hasShorterPages() {
    List<String> published = publish("pets", "{\"species\":\"dog\"}");
    TestUser moderator = TORG.moderator();
    assertThat(pages("/v1/moderation/queue?pageSize=200", "entries", moderator))
        .containsAll(published);
  }

  private List<String> publish(String category, String attributes) {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < OFFERS; i++) {
      ids.add(
          TORG.post(
                  seller,
                  "/v1/offers",
                  "{\"offer\":{\"category\":\"%s\",\"title\":\"Item\",\"description\":\"%s\",\"attributes\":%s}}"
                      .formatted(category, DESCRIPTION, attributes))
              .ok()
              .text("id"));
    }
    return ids;
  }

  /// The ids of all pages, of which there must be more than one although all ids would fit one by
  /// number.
  private static List<String> pages(String path, String list, TestUser user) {
    List<String> ids = new ArrayList<>();
    int pages = 0;
    String token = "";
    do {
      HttpReply page = TORG.get(user, path + "&pageToken=" + token).ok();
      assertThat(page.body().path(list)).isNotEmpty();
      page.body()
          .path(list)
          .forEach(
              item -> ids.add((item.has("id") ? item : item.path("offer")).path("id").asText()));
      token = page.text("nextPageToken");
      pages++;
    } while (!token.isEmpty());
    assertThat(pages).isGreaterThan(1);
    assertThat(ids).doesNotHaveDuplicates();
    return ids;
  }
}
