package dev.torg.server.run;

import static dev.torg.server.run.TestTorg.list;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.server.config.Setting;
import dev.torg.server.run.TestTorg.HttpReply;
import dev.torg.server.run.TestTorg.TestUser;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The configured limits of what an owner may save, as clients see them.
@Tag(TestTorg.OWN)
class FavoriteLimitRoutesIT {
  @RegisterExtension
  static final TestTorg TORG =
      new TestTorg(
          Map.of(
              Setting.FAVORITES_MAX_SELLERS, "2",
              Setting.FAVORITES_MAX_SEARCHES, "1",
              Setting.ANONYMOUS_FAVORITES_MAX_SELLERS, "1"));

  private static final String FOLLOW = "/v1/favorites/sellers:add";

  @Test
  void batch_beyondTheLimit_hasItsCodePerItem() {
    String sellers = list("sellerIds", List.of("user:a", "b", "c"));
    HttpReply user = TORG.post(TORG.user(), FOLLOW, sellers).ok();
    assertThat(user.texts("results", "code")).containsExactly("OK", "OK", "EXHAUSTED");
    HttpReply anonymous = TORG.post(TORG.anonymous(), FOLLOW, sellers).ok();
    assertThat(anonymous.texts("results", "code")).containsExactly("OK", "EXHAUSTED", "EXHAUSTED");
  }

  @Test
  void single_beyondTheLimit_isAProblemThatNamesIt() {
    TestUser buyer = TORG.user();
    search(buyer, "cars").ok();
    HttpReply refused = search(buyer, "jobs").failed(429, "favorites.limit");
    assertThat(refused.text("detail")).contains("at most 1 saved searches");
    search(buyer, "cars").ok();
  }

  private static HttpReply search(TestUser buyer, String category) {
    String body = "{\"query\":{\"category\":\"%s\"}}".formatted(category);
    return TORG.post(buyer, "/v1/favorites/searches", body);
  }
}
