package dev.torg.server.run;

import static dev.torg.server.run.TestTorg.unauthenticated;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.torg.server.run.TestTorg.HttpReply;
import dev.torg.server.run.TestTorg.TestUser;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Moderation as sellers and moderators see it.
@Tag(TestTorg.OWN)
class ModerationRoutesIT {
  @RegisterExtension static final TestTorg TORG = new TestTorg();

  private final TestUser seller = TORG.user();
  private final TestUser moderator = TORG.moderator();

  @Test
  void edit_ofAnApprovedPremoderatedOffer_returnsToTheModerationQueue() {
    String offer = TORG.post(seller, "/v1/offers", pet("A cat")).ok().text("id");
    assertThat(status(offer)).isEqualTo("PENDING");
    giveOpinion(offer, "OK", "").ok();
    assertThat(status(offer)).isEqualTo("ACTIVE");
    assertThat(queued(offer)).isEmpty();

    HttpReply edited = TORG.put(seller, "/v1/offers/" + offer, pet("A tiger")).ok();
    assertThat(edited.text("status")).isEqualTo("PENDING");
    TORG.get(unauthenticated(), "/v1/offers/" + offer).failed(404, "offer.not-found");
    JsonNode entry = queued(offer).orElseThrow();
    String version = entry.at("/offer/version").asText();
    assertThat(version).isEqualTo(edited.text("version"));

    giveOpinion(offer, "OK", ",\"offerVersion\":\"1\"").failed(409, "opinion.version-not-current");
    giveOpinion(offer, "OK", ",\"offerVersion\":\"" + version + "\"").ok();
    assertThat(TORG.get(unauthenticated(), "/v1/offers/" + offer).ok().text("title"))
        .isEqualTo("A tiger");
    assertThat(queued(offer)).isEmpty();
  }

  @Test
  void ban_ofASoldOffer_hidesIt_andUnbanLeadsBackToSold() {
    String offer = TORG.publish(seller, "Camera");
    TORG.post(seller, "/v1/offers/" + offer + ":markSold", "{}").ok();
    giveOpinion(offer, "BAN", "").ok();
    TORG.get(unauthenticated(), "/v1/offers/" + offer).failed(404, "offer.not-found");
    giveOpinion(offer, "UNBAN", "").ok();
    assertThat(TORG.get(unauthenticated(), "/v1/offers/" + offer).ok().text("status"))
        .isEqualTo("SOLD");
  }

  private HttpReply giveOpinion(String offer, String verdict, String more) {
    String opinion = "{\"opinion\":{\"verdict\":\"%s\"%s}}".formatted(verdict, more);
    return TORG.post(moderator, "/v1/offers/" + offer + "/opinions", opinion);
  }

  private String status(String offer) {
    return TORG.get(seller, "/v1/offers/" + offer).ok().text("status");
  }

  private Optional<JsonNode> queued(String offer) {
    JsonNode entries = TORG.get(moderator, "/v1/moderation/queue").ok().body().path("entries");
    List<JsonNode> all = StreamSupport.stream(entries.spliterator(), false).toList();
    return all.stream().filter(e -> e.at("/offer/id").asText().equals(offer)).findFirst();
  }

  private static String pet(String title) {
    return "{\"offer\":{\"category\":\"pets\",\"title\":\"%s\",\"attributes\":{\"species\":\"cat\"}}}"
        .formatted(title);
  }
}
