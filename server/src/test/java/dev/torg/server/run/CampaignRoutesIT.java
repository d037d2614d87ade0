package dev.torg.server.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.torg.server.run.TestTorg.HttpReply;
import dev.torg.server.run.TestTorg.TestUser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Campaigns as other systems send them.
class CampaignRoutesIT {
  @RegisterExtension static final TestTorg TORG = TestTorg.shared();

  private static final String CAMPAIGNS = "/v1/campaigns";
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private final TestUser service = TORG.service();
  private final TestUser recipient = TORG.user();

  @Test
  void create_namedRecipients_areNotified() {
    HttpReply created =
        TORG.post(service, CAMPAIGNS, campaign("named", upload("\"" + recipient.subject() + "\"")))
            .ok();
    assertThat(created.text("id")).isEqualTo("named");
    HttpReply finished = awaitStatus("named", "FINISHED");
    assertThat(finished.body().at("/progress/accepted").asText()).isEqualTo("1");
    assertThat(finished.body().at("/progress/written").asText()).isEqualTo("1");
    assertThat(finished.body().at("/progress/suppressed").isObject()).isTrue();
    assertThat(titles()).containsExactly("Sale named");
    TORG.post(service, CAMPAIGNS, campaign("named", upload("\"user:other\"")))
        .failed(409, "campaign.id-reused");
  }

  @Test
  void upload_linesThenStart_areNotified() throws IOException {
    TORG.post(service, CAMPAIGNS, campaign("uploaded", upload(""))).ok();
    String lines = "\"%s\"\nbad\n{\"recipient\":\"user:u2\"}\n".formatted(recipient.subject());
    HttpReply result = upload(service, "uploaded", lines.getBytes(StandardCharsets.UTF_8), "").ok();
    assertThat(result.text("accepted")).isEqualTo("2");
    assertThat(result.text("rejected")).isEqualTo("1");
    assertThat(result.texts("errors", "line")).containsExactly("2");
    HttpReply zipped = upload(service, "uploaded", gzip("\"user:u3\"\n"), "gzip").ok();
    assertThat(zipped.text("accepted")).isEqualTo("3");
    assertThat(TORG.get(service, CAMPAIGNS + "/uploaded").ok().text("status"))
        .isEqualTo("UPLOADING");
    TORG.post(service, CAMPAIGNS + "/uploaded:start", "{}").ok();
    HttpReply finished = awaitStatus("uploaded", "FINISHED");
    assertThat(finished.body().at("/progress/written").asText()).isEqualTo("3");
    assertThat(titles()).containsExactly("Sale uploaded");
    upload(service, "uploaded", new byte[0], "").failed(409, "campaign.closed");
    upload(service, "none", new byte[0], "").failed(404, "campaign.not-found");
    upload(service, "uploaded", new byte[0], "br").failed(400, "request.encoding");
  }

  @Test
  void sellersWith_matchingOffer_isNotified() {
    TORG.post(
            recipient,
            "/v1/offers",
            "{\"offer\":{\"category\":\"cars\",\"title\":\"Blue"
                + " zebraphone\",\"attributes\":{\"brand\":\"VW\"}}}")
        .ok();
    String audience = "{\"sellersWith\":{\"category\":\"cars\",\"text\":\"zebraphone\"}}";
    TORG.post(service, CAMPAIGNS, campaign("sellers", audience)).ok();
    HttpReply finished = awaitStatus("sellers", "FINISHED");
    assertThat(finished.body().at("/progress/accepted").asText()).isEqualTo("1");
    assertThat(titles()).contains("Sale sellers");
    TORG.post(
            service,
            CAMPAIGNS,
            campaign("bad-query", "{\"sellersWith\":{\"filters\":[{\"key\":\"brand\"}]}}"))
        .failed(400, "query.invalid");
  }

  @Test
  void pauseResumeCancel_ofAScheduledCampaign_changeItsStatus() {
    String scheduled =
        campaign("later", upload("\"" + recipient.subject() + "\""))
            .replaceFirst(
                "\\{", "{\"sendAt\":\"" + java.time.Instant.now().plusSeconds(600) + "\",");
    assertThat(TORG.post(service, CAMPAIGNS, scheduled).ok().text("status")).isEqualTo("SCHEDULED");
    assertThat(TORG.post(service, CAMPAIGNS + "/later:pause", "{}").ok().text("status"))
        .isEqualTo("PAUSED");
    assertThat(TORG.post(service, CAMPAIGNS + "/later:resume", "{}").ok().text("status"))
        .isEqualTo("SCHEDULED");
    assertThat(TORG.post(service, CAMPAIGNS + "/later:cancel", "{}").ok().text("status"))
        .isEqualTo("CANCELLED");
    TORG.post(service, CAMPAIGNS + "/later:resume", "{}").failed(409, "campaign.status");
    assertThat(titles()).isEmpty();
  }

  @Test
  void calls_ofOthersThanServices_areForbidden() {
    String body = campaign("forbidden", upload("\"user:1\""));
    TORG.post(recipient, CAMPAIGNS, body).failed(403, "role.missing");
    TORG.post(TestTorg.unauthenticated(), CAMPAIGNS, body).failed(401, "token.missing");
    upload(recipient, "forbidden", new byte[0], "").failed(403, "role.missing");
    TORG.get(recipient, CAMPAIGNS + "/forbidden").failed(403, "role.missing");
    for (String verb : List.of("start", "pause", "resume", "cancel")) {
      TORG.post(recipient, CAMPAIGNS + "/forbidden:" + verb, "{}").failed(403, "role.missing");
    }
    TORG.get(service, CAMPAIGNS + "/forbidden").failed(404, "campaign.not-found");
  }

  @Test
  void create_badContentTopicAndChannel_isInvalid() {
    String audience = upload("\"user:1\"");
    TORG.post(service, CAMPAIGNS, campaign("b1", audience).replace("news", "nonsense"))
        .failed(400, "topic.unknown");
    TORG.post(
            service,
            CAMPAIGNS,
            campaign("b2", audience).replaceFirst("\\{", "{\"channels\":[\"FAX\"],"))
        .failed(400, "notification.invalid");
    TORG.post(service, CAMPAIGNS, campaign("b3", "{}")).failed(400, "campaign.invalid");
    TORG.get(service, CAMPAIGNS + "/b3").failed(404, "campaign.not-found");
  }

  private List<String> titles() {
    return TORG.get(recipient, "/v1/notifications").ok().texts("notifications", "title");
  }

  private HttpReply awaitStatus(String id, String status) {
    await()
        .atMost(TIMEOUT)
        .until(() -> TORG.get(service, CAMPAIGNS + "/" + id).ok().text("status").equals(status));
    return TORG.get(service, CAMPAIGNS + "/" + id).ok();
  }

  private static String upload(String recipients) {
    return "{\"upload\":{\"recipients\":[" + recipients + "]}}";
  }

  private static String campaign(String id, String audience) {
    return "{\"id\":\"%s\",\"audience\":%s,\"topic\":\"news\",\"content\":{\"title\":\"Sale %s\"}}"
        .formatted(id, audience, id);
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return packed.toByteArray();
  }

  private static HttpReply upload(TestUser user, String id, byte[] body, String encoding) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(TORG.uri(CAMPAIGNS + "/" + id + "/recipients"))
            .header("Authorization", "Bearer " + user.token())
            .POST(BodyPublishers.ofByteArray(body));
    if (!encoding.isEmpty()) {
      request.header("Content-Encoding", encoding);
    }
    try {
      var response = TORG.client().send(request.build(), BodyHandlers.ofString());
      return new HttpReply(response.statusCode(), TestTorg.JSON.readTree(response.body()));
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(id, e);
    }
  }
}
