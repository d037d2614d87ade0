package dev.torg.bench.abuse;

import com.fasterxml.jackson.databind.JsonNode;
import dev.torg.bench.process.ApiClient;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import javax.imageio.ImageIO;

/// Requests a large image hundreds of times over HTTP/2 connections that accept no body.
final class SlowReaders implements Attack {
  private static final int CONNECTIONS = 20;
  private static final int REQUESTS_PER_CONNECTION = 100;
  private static final Duration PHOTO_TIMEOUT = Duration.ofSeconds(60);
  private static final String BOUNDARY = "abuse-photo";

  private String image = "";

  @Override
  public String name() {
    return "N3-slow-readers";
  }

  @Override
  public void prepare(AbuseTarget target) throws IOException, InterruptedException {
    String token = target.userToken();
    ApiClient seller = target.api().with(token);
    String offer = seller.publish("A camera with a noisy picture");
    upload(target, token, offer);
    image = awaitImage(seller, offer);
  }

  private static void upload(AbuseTarget target, String token, String offer)
      throws IOException, InterruptedException {
    byte[] head =
        ("--"
                + BOUNDARY
                + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.jpg\"\r\n"
                + "Content-Type: image/jpeg\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    byte[] tail = ("\r\n--" + BOUNDARY + "--\r\n").getBytes(StandardCharsets.US_ASCII);
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create(target.api().address() + "/v1/offers/" + offer + "/photos"))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "multipart/form-data; boundary=" + BOUNDARY)
            .POST(BodyPublishers.ofByteArrays(List.of(head, noise(), tail)))
            .build();
    try (HttpClient http = HttpClient.newHttpClient()) {
      int status = http.send(request, BodyHandlers.discarding()).statusCode();
      if (status != 200) {
        throw new IllegalStateException("the photo was refused with HTTP " + status);
      }
    }
  }

  /// Noise does not compress, so the image stays large.
  private static byte[] noise() {
    BufferedImage image = new BufferedImage(1600, 1200, BufferedImage.TYPE_INT_RGB);
    Random random = new Random(1);
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        image.setRGB(x, y, random.nextInt());
      }
    }
    ByteArrayOutputStream jpeg = new ByteArrayOutputStream();
    try {
      ImageIO.write(image, "jpg", jpeg);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return jpeg.toByteArray();
  }

  private static String awaitImage(ApiClient seller, String offer) throws InterruptedException {
    long deadline = System.nanoTime() + PHOTO_TIMEOUT.toNanos();
    while (System.nanoTime() < deadline) {
      JsonNode photo = seller.get("/v1/offers/" + offer).path("photos").path(0);
      if (photo.path("status").asText().equals("READY")) {
        return URI.create(photo.path("sizes").path("full").asText()).getPath();
      }
      Thread.sleep(100);
    }
    throw new IllegalStateException("the photo was not ready after " + PHOTO_TIMEOUT);
  }

  @Override
  public void run(AbuseTarget target, Attackers attackers) throws InterruptedException {
    try (OpenConnections connections = new OpenConnections(attackers)) {
      connections.open(CONNECTIONS, number -> readers(target, number));
      connections.hold();
    }
  }

  private Http2Attacker readers(AbuseTarget target, int number) throws IOException {
    Http2Attacker connection = Http2Attacker.open(target, number / 4);
    for (int i = 0; i < REQUESTS_PER_CONNECTION; i++) {
      connection.get(target.host(), image);
    }
    return connection;
  }
}
