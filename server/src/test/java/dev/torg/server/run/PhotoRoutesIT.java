package dev.torg.server.run;

import static dev.torg.server.run.TestTorg.await;
import static dev.torg.server.run.TestTorg.list;
import static dev.torg.server.run.TestTorg.unauthenticated;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.torg.server.config.Setting;
import dev.torg.server.run.TestTorg.TestUser;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.StreamSupport;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Photos as users send and see them, through relay, topics and workers.
@Tag(TestTorg.OWN)
class PhotoRoutesIT {
  @RegisterExtension
  static final TestTorg TORG = new TestTorg(Map.of(Setting.PHOTO_HOSTS, "127.0.0.1"));

  private static HttpServer site;

  @BeforeAll
  static void open() throws IOException {
    site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    site.createContext(
        "/photo.jpg",
        call -> {
          byte[] bytes = image(Color.GREEN);
          call.sendResponseHeaders(200, bytes.length);
          call.getResponseBody().write(bytes);
          call.close();
        });
    site.start();
  }

  @AfterAll
  static void close() {
    site.stop(0);
  }

  @Test
  void upload_toAnOffer_becomesAnImageThatIsCachedBriefly() throws Exception {
    TestUser seller = TORG.user();
    String offer = TORG.publish(seller, "Camera");
    JsonNode photo =
        TORG.upload(seller, photos(offer), "holiday.gif", image(Color.RED), Map.of()).ok().body();
    assertThat(photo.path("status").asText()).isEqualTo("PENDING");
    JsonNode ready = ready(seller, offer, photo.path("id").asText());
    String card = ready.path("sizes").path("card").asText();
    assertThat(card).isEqualTo("/photos/" + photo.path("id").asText() + "/card");

    HttpResponse<byte[]> response = get("GET", card, Map.of());
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(ImageIO.read(new ByteArrayInputStream(response.body())).getWidth()).isEqualTo(640);
    assertThat(header(response, "content-type")).isEqualTo("image/jpeg");
    assertThat(header(response, "cache-control")).isEqualTo("public, max-age=30");
    assertThat(header(response, "x-content-type-options")).isEqualTo("nosniff");
    String tag = header(response, "etag");
    assertThat(tag).isEqualTo("\"" + photo.path("id").asText() + "-card\"");

    HttpResponse<byte[]> notModified = get("GET", card, Map.of("If-None-Match", "W/\"x\", " + tag));
    assertThat(notModified.statusCode()).isEqualTo(304);
    assertThat(notModified.body()).isEmpty();
    assertThat(header(notModified, "etag")).isEqualTo(tag);
    assertThat(get("GET", card, Map.of("If-None-Match", "\"other\"")).statusCode()).isEqualTo(200);

    HttpResponse<byte[]> head = get("HEAD", card, Map.of());
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(header(head, "content-length")).isEqualTo("" + response.body().length);
    assertThat(header(head, "etag")).isEqualTo(tag);
  }

  /// Both offers in one test: each would wait for the time that decisions are cached.
  @Test
  void image_ofABannedOrRemovedOffer_isNotServedAfterAMinute() throws Exception {
    TestUser seller = TORG.user();
    TestUser moderator = TORG.moderator();
    String banned = TORG.publish(seller, "Camera");
    String removed = TORG.publish(seller, "Lens");
    String bannedImage = cachedImage(seller, banned);
    String removedImage = cachedImage(seller, removed);
    TORG.post(moderator, "/v1/offers/" + banned + "/opinions", opinion("BAN")).ok();
    TORG.post(seller, "/v1/offers/" + removed + ":remove", "{}").ok();
    await("the picture of the banned offer is gone", () -> status(bannedImage, Map.of()) == 404);
    await("the picture of the removed offer is gone", () -> status(removedImage, Map.of()) == 404);
    HttpResponse<byte[]> response = get("GET", bannedImage, Map.of("If-None-Match", "*"));
    assertThat(response.statusCode()).isEqualTo(404);
    assertThat(header(response, "cache-control")).isEqualTo("no-store");
    Map<String, String> judging = Map.of("Authorization", "Bearer " + moderator.token());
    HttpResponse<byte[]> forModerator = get("GET", bannedImage, judging);
    assertThat(forModerator.statusCode()).isEqualTo(200);
    assertThat(header(forModerator, "cache-control")).isEqualTo("private, no-store");
    assertThat(status(removedImage, judging)).isEqualTo(404);
  }

  /// The image of a new photo, requested once.
  private static String cachedImage(TestUser seller, String offer) throws Exception {
    String photo = added(seller, offer);
    ready(seller, offer, photo);
    String image = "/photos/" + photo + "/card";
    assertThat(get("GET", image, Map.of()).statusCode()).isEqualTo(200);
    return image;
  }

  private static int status(String path, Map<String, String> headers) {
    LockSupport.parkNanos(100_000_000);
    try {
      return get("GET", path, headers).statusCode();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String opinion(String verdict) {
    return "{\"opinion\":{\"verdict\":\"%s\"}}".formatted(verdict);
  }

  @Test
  void image_unknown_isNotFound() throws Exception {
    for (String path : List.of("/photos/none/card", "/photos/abcdefghijklmnopqrstuvwx/card")) {
      assertThat(get("GET", path, Map.of()).statusCode()).isEqualTo(404);
    }
    TestUser seller = TORG.user();
    String offer = TORG.publish(seller, "Camera");
    String photo = added(seller, offer);
    ready(seller, offer, photo);
    TORG.get(unauthenticated(), "/photos/" + photo + "/poster").failed(404, "photo.not-found");
  }

  @Test
  void add_byAddress_isReadyOnceItIsFetched() {
    TestUser seller = TORG.user();
    String offer = TORG.publish(seller, "Camera");
    String photo = added(seller, offer);
    assertThat(ready(seller, offer, photo).path("error").asText()).isEmpty();
  }

  @Test
  void add_badRequests_areReported() {
    TestUser seller = TORG.user();
    String offer = TORG.publish(seller, "Camera");
    TORG.post(seller, photos(offer), "{\"url\":\"ftp://x/y\"}").invalid("url");
    TORG.post(seller, photos(offer), "{}").invalid("url");
    TORG.post(seller, photos(offer), "{\"uri\":\"http://x/y\"}").failed(400, "request.malformed");
    TORG.post(unauthenticated(), photos(offer), "{\"url\":\"http://x.example/y\"}")
        .failed(401, "token.missing");
    TORG.post(TORG.user(), photos(offer), "{\"url\":\"http://x.example/y\"}")
        .failed(403, "offer.not-yours");
    TORG.upload(TORG.user(), photos(offer), "a.jpg", image(Color.RED), Map.of())
        .failed(403, "offer.not-yours");
    TORG.upload(unauthenticated(), photos(offer), "a.jpg", image(Color.RED), Map.of())
        .failed(401, "token.missing");
    TORG.upload(seller, photos("12"), "a.jpg", image(Color.RED), Map.of())
        .failed(400, "offer-id.malformed");
  }

  @Test
  void upload_tooLarge_isRefused() {
    TestUser seller = TORG.user();
    String offer = TORG.publish(seller, "Camera");
    TORG.upload(seller, photos(offer), "a.jpg", new byte[20 * 1024 * 1024 + 1], Map.of())
        .invalid("file");
    assertThat(shown(seller, offer)).isEmpty();
  }

  @Test
  void upload_withoutAFile_isRefused() throws Exception {
    TestUser seller = TORG.user();
    String offer = TORG.publish(seller, "Camera");
    String form =
        "--b\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nno file\r\n--b--\r\n";
    for (String body : List.of(form, "no form at all", "")) {
      HttpRequest request =
          HttpRequest.newBuilder(TORG.uri(photos(offer)))
              .header("Content-Type", "multipart/form-data; boundary=b")
              .header("Authorization", "Bearer " + seller.token())
              .POST(BodyPublishers.ofString(body))
              .build();
      HttpResponse<String> response = TORG.client().send(request, BodyHandlers.ofString());
      assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
      assertThat(response.body()).contains("photo.upload");
    }
  }

  @Test
  void upload_sameKeyTwice_isOnePhoto() {
    TestUser seller = TORG.user();
    String offer = TORG.publish(seller, "Camera");
    Map<String, String> key = Map.of("Idempotency-Key", "once");
    byte[] image = image(Color.RED);
    String first = TORG.upload(seller, photos(offer), "a.jpg", image, key).ok().text("id");
    assertThat(TORG.upload(seller, photos(offer), "a.jpg", image, key).ok().text("id"))
        .isEqualTo(first);
    assertThat(shown(seller, offer)).hasSize(1);
  }

  @Test
  void upload_notAnImage_failsInTheOffer() {
    TestUser seller = TORG.user();
    String offer = TORG.publish(seller, "Camera");
    byte[] lie = "#!/bin/sh".repeat(20).getBytes(StandardCharsets.UTF_8);
    String photo = TORG.upload(seller, photos(offer), "photo.jpg", lie, Map.of()).ok().text("id");
    await("the photo fails", () -> status(seller, offer, photo).equals("FAILED"));
    assertThat(shown(seller, offer).getFirst().path("error").asText())
        .isEqualTo("not a JPEG, PNG or WebP image");
    assertThat(TORG.get(unauthenticated(), "/photos/" + photo + "/card").status()).isEqualTo(404);
    assertThat(
            TORG.get(seller, "/v1/sellers/me/presets")
                .ok()
                .body()
                .at("/counts/WITH_PROBLEMS")
                .asInt())
        .isEqualTo(1);
  }

  @Test
  void orderAndDelete_changeTheOffer() {
    TestUser seller = TORG.user();
    String offer = TORG.publish(seller, "Camera");
    String first = added(seller, offer);
    String second = added(seller, offer);
    List<String> ordered =
        TORG.post(seller, photos(offer) + ":order", list("photoIds", List.of(second, first)))
            .ok()
            .texts("photos", "id");
    assertThat(ordered).containsExactly(second, first);
    TORG.post(seller, photos(offer) + ":order", list("photoIds", List.of(second)))
        .invalid("photoIds");
    assertThat(TORG.delete(seller, photos(offer) + "/" + second).ok().texts("photos", "id"))
        .containsExactly(first);
    TORG.delete(seller, photos(offer) + "/" + second).failed(404, "photo.not-found");
    TORG.delete(TORG.user(), photos(offer) + "/" + first).failed(403, "offer.not-yours");
  }

  @Test
  void add_beyondThirty_isInvalid() {
    TestUser seller = TORG.user();
    String offer = TORG.publish(seller, "Camera");
    for (int i = 0; i < 30; i++) {
      added(seller, offer);
    }
    TORG.post(seller, photos(offer), "{\"url\":\"" + address() + "\"}").invalid("photos");
  }

  @Test
  void draft_ofAnAnonymousCaller_acceptsPhotosAndPassesThemOn() {
    TestUser anonymous = TORG.anonymous();
    String draft = TORG.post(anonymous, "/v1/drafts:open", "{}").ok().text("id");
    String photos = "/v1/drafts/" + draft + "/photos";
    String uploaded =
        TORG.upload(anonymous, photos, "a.jpg", image(Color.PINK), Map.of()).ok().text("id");
    String byAddress =
        TORG.post(anonymous, photos, "{\"url\":\"" + address() + "\"}").ok().text("id");
    TORG.post(anonymous, photos + ":order", list("photoIds", List.of(byAddress, uploaded))).ok();
    TORG.put(
            anonymous,
            "/v1/drafts/" + draft,
            "{\"offer\":{\"category\":\"electronics\",\"title\":\"Camera\"}}")
        .ok();
    TORG.upload(TORG.anonymous(), photos, "a.jpg", image(Color.PINK), Map.of())
        .failed(404, "draft.not-found");
    TestUser login = TORG.user();
    String takenOver =
        TORG.post(login, "/v1/drafts:open", "{\"anonymousToken\":\"" + anonymous.token() + "\"}")
            .ok()
            .text("id");
    assertThat(takenOver).isEqualTo(draft);
    String offer = TORG.post(login, "/v1/drafts/" + takenOver + ":publish", "{}").ok().text("id");
    ready(login, offer, uploaded);
    ready(login, offer, byAddress);
    assertThat(shown(login, offer))
        .extracting(photo -> photo.path("id").asText())
        .containsExactly(byAddress, uploaded);
  }

  private static String photos(String offer) {
    return "/v1/offers/" + offer + "/photos";
  }

  private static String address() {
    return "http://127.0.0.1:" + site.getAddress().getPort() + "/photo.jpg";
  }

  private static String added(TestUser seller, String offer) {
    return TORG.post(seller, photos(offer), "{\"url\":\"" + address() + "\"}").ok().text("id");
  }

  private static List<JsonNode> shown(TestUser seller, String offer) {
    JsonNode photos = TORG.get(seller, "/v1/offers/" + offer).ok().body().path("photos");
    return StreamSupport.stream(photos.spliterator(), false).toList();
  }

  private static JsonNode ready(TestUser seller, String offer, String photo) {
    await("the photo is ready", () -> status(seller, offer, photo).equals("READY"));
    return find(seller, offer, photo);
  }

  private static String status(TestUser seller, String offer, String photo) {
    return find(seller, offer, photo).path("status").asText();
  }

  /// Not faster than the rate limit allows.
  private static JsonNode find(TestUser seller, String offer, String photo) {
    LockSupport.parkNanos(10_000_000);
    return shown(seller, offer).stream()
        .filter(photoNode -> photoNode.path("id").asText().equals(photo))
        .findFirst()
        .orElseThrow();
  }

  private static HttpResponse<byte[]> get(String method, String path, Map<String, String> headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(TORG.uri(path)).method(method, BodyPublishers.noBody());
    headers.forEach(request::header);
    return TORG.client().send(request.build(), BodyHandlers.ofByteArray());
  }

  private static String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }

  private static byte[] image(Color color) {
    BufferedImage image = new BufferedImage(800, 600, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.setColor(color);
    graphics.fillOval(0, 0, 800, 600);
    graphics.dispose();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      ImageIO.write(image, "png", bytes);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return bytes.toByteArray();
  }
}
