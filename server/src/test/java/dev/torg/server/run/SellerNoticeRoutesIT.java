package dev.torg.server.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.torg.server.run.TestTorg.TestUser;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Notices to sellers, through all topics and jobs.
class SellerNoticeRoutesIT {
  @RegisterExtension static final TestTorg TORG = TestTorg.shared();

  private final TestUser seller = TORG.user();

  @Test
  void bannedOfferAndFinishedFeed_areInTheSellersBellOnly() throws Exception {
    String offer = TORG.publish(seller, "Camera");
    TORG.post(
            TORG.moderator(),
            "/v1/offers/" + offer + "/opinions",
            "{\"opinion\":{\"verdict\":\"BAN\",\"reasons\":[\"stolen\"]}}")
        .ok();
    assertThat(upload().statusCode()).isEqualTo(200);
    await()
        .atMost(Duration.ofMinutes(2))
        .untilAsserted(
            () ->
                assertThat(titles(seller))
                    .containsExactlyInAnyOrder(
                        "Your offer ‘Camera’ was banned", "Your feed 1 is finished"));
    assertThat(titles(TORG.user())).isEmpty();
  }

  private static List<String> titles(TestUser user) {
    return TORG.get(user, "/v1/notifications?topic=offers").ok().texts("notifications", "title");
  }

  private HttpResponse<String> upload() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(TORG.uri("/v1/feeds/me?taskId=1&format=ndjson"))
            .header("Authorization", "Bearer " + seller.token())
            .POST(
                BodyPublishers.ofString(
                    "{\"externalId\":\"a\",\"category\":\"electronics\",\"title\":\"A phone\"}\n"))
            .build();
    return TORG.client().send(request, BodyHandlers.ofString());
  }
}
