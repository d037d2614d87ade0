package dev.torg.server.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.torg.api.v1.FeedItem;
import dev.torg.api.v1.FeedMessage;
import dev.torg.api.v1.FeedServiceGrpc;
import dev.torg.api.v1.FeedStart;
import dev.torg.api.v1.FeedTask;
import dev.torg.api.v1.Offer;
import dev.torg.server.run.TestTorg.HttpReply;
import dev.torg.server.run.TestTorg.TestUser;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.okhttp.OkHttpChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Feeds and imports as clients send them.
class FeedRoutesIT {
  @RegisterExtension static final TestTorg TORG = TestTorg.shared();

  private final TestUser seller = TORG.user();

  @Test
  void upload_ofAFile_respondsWithTheTask() {
    HttpReply task = upload(seller, "me", "taskId=1&format=ndjson", items(0, 40)).ok();
    assertThat(task.text("taskId")).isEqualTo("1");
    assertThat(task.text("status")).isEqualTo("FINISHED");
    assertThat(task.body().path("created").asInt()).isEqualTo(40);
    for (String count :
        List.of("updated", "unchanged", "removed", "failed", "ignored", "photosFailed")) {
      assertThat(task.body().path(count).asInt(-1)).as(count).isZero();
    }
    assertThat(task.body().path("message").asText("?")).isEmpty();
    HttpReply counts = TORG.get(seller, "/v1/sellers/me/presets").ok();
    assertThat(counts.body().at("/counts/ACTIVE").asInt()).isEqualTo(40);
    upload(seller, seller.subject(), "taskId=1&format=ndjson", items(0, 40))
        .failed(409, "feed.task-old");
  }

  @Test
  void upload_gzippedAndLargerThanAnyRequest_isAccepted() throws IOException {
    String padding = "x".repeat(30_000);
    String feed =
        IntStream.range(0, 400)
            .mapToObj(
                i ->
                    "{\"externalId\":\"%d\",\"category\":\"electronics\",\"title\":\"Item %d\",\"description\":\"%s\"}\n"
                        .formatted(i, i, padding))
            .collect(Collectors.joining());
    assertThat(feed.length()).isGreaterThan(8 << 20);
    assertThat(created(upload(seller, "me", "taskId=1&format=ndjson", feed))).isEqualTo(400);
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(feed.getBytes(StandardCharsets.UTF_8));
    }
    HttpReply repeated =
        upload(seller, "me", "taskId=2&format=ndjson", packed.toByteArray(), "gzip").ok();
    assertThat(repeated.body().path("unchanged").asInt()).isEqualTo(400);
    byte[] half = java.util.Arrays.copyOf(packed.toByteArray(), packed.size() / 2);
    HttpReply truncated = upload(seller, "me", "taskId=3&format=ndjson", half, "gzip").ok();
    assertThat(truncated.text("status")).isEqualTo("FAILED");
    assertThat(truncated.text("message")).contains("gzip");
  }

  @Test
  void upload_csvAndYml_areAccepted() {
    String csv = "externalId,category,title,price,currency\nc1,electronics,From CSV,12.50,EUR\n";
    assertThat(created(upload(seller, "me", "taskId=1&format=csv", csv))).isEqualTo(1);
    String yml =
        "<yml_catalog><shop><offers><offer id='y1'><name>From YML</name>"
            + "<categoryId>electronics</categoryId></offer></offers></shop></yml_catalog>";
    HttpReply task = upload(seller, "me", "taskId=2&format=yml", yml).ok();
    assertThat(task.body().path("created").asInt()).isEqualTo(1);
    assertThat(task.body().path("removed").asInt()).isEqualTo(1);
  }

  @Test
  void upload_badAddress_isInvalidWithItsField() {
    upload(seller, "me", "format=ndjson", "").invalid("taskId");
    upload(seller, "me", "taskId=0&format=ndjson", "").invalid("taskId");
    upload(seller, "me", "taskId=1&format=pdf", "").invalid("format");
    upload(seller, "me", "taskId=1&format=csv&complete=maybe", "").invalid("complete");
    upload(seller, "me", "taskId=1&format=csv&compleet=false", "").invalid("compleet");
    upload(seller, "me", "taskId=1&taskId=2&format=csv", "").invalid("taskId");
  }

  @Test
  void feeds_ofOthers_areForSellersServicesAndAdmins() {
    TestUser otherUser = TORG.user();
    String path = seller.subject();
    upload(otherUser, path, "taskId=1&format=ndjson", items(0, 1)).failed(403, "seller.not-you");
    upload(TORG.anonymous(), "me", "taskId=1&format=ndjson", items(0, 1))
        .failed(401, "login.required");
    upload(TestTorg.unauthenticated(), path, "taskId=1&format=ndjson", items(0, 1))
        .failed(401, "token.missing");
    upload(TORG.service(), TORG.anonymous().subject(), "taskId=1&format=ndjson", items(0, 1))
        .failed(403, "seller.anonymous");
    upload(TORG.service(), path, "taskId=1&format=ndjson", items(0, 2)).ok();
    TORG.get(otherUser, "/v1/feeds/" + path + "/tasks").failed(403, "seller.not-you");
    TORG.get(otherUser, "/v1/feeds/" + path + "/tasks/1").failed(403, "seller.not-you");
    TORG.get(otherUser, "/v1/feeds/" + path + "/tasks/1/errors").failed(403, "seller.not-you");
    TORG.post(otherUser, "/v1/feeds/" + path + "/tasks/1:finish", "{}")
        .failed(403, "seller.not-you");
    assertThat(TORG.get(seller, "/v1/feeds/me/tasks/1").ok().text("status")).isEqualTo("FINISHED");
  }

  @Test
  void tasksAndErrors_areListedInPages() {
    upload(seller, "me", "taskId=1&format=ndjson", items(0, 3));
    String invalid = IntStream.range(0, 5).mapToObj(i -> "{broken\n").collect(Collectors.joining());
    HttpReply task = upload(seller, "me", "taskId=2&format=ndjson", invalid + items(0, 3)).ok();
    assertThat(task.body().path("failed").asInt()).isEqualTo(5);
    HttpReply tasks = TORG.get(seller, "/v1/feeds/me/tasks?pageSize=1").ok();
    assertThat(tasks.texts("tasks", "taskId")).containsExactly("2");
    HttpReply older =
        TORG.get(seller, "/v1/feeds/me/tasks?pageSize=1&pageToken=" + tasks.text("nextPageToken"))
            .ok();
    assertThat(older.texts("tasks", "taskId")).containsExactly("1");
    assertThat(older.text("nextPageToken")).isEmpty();
    HttpReply errors = TORG.get(seller, "/v1/feeds/me/tasks/2/errors?pageSize=3").ok();
    assertThat(errors.texts("errors", "line")).containsExactly("1", "2", "3");
    assertThat(errors.texts("errors", "code")).containsOnly("feed.json");
    HttpReply nextPage =
        TORG.get(
                seller,
                "/v1/feeds/me/tasks/2/errors?pageSize=3&pageToken=" + errors.text("nextPageToken"))
            .ok();
    assertThat(nextPage.texts("errors", "line")).containsExactly("4", "5");
    TORG.get(seller, "/v1/feeds/me/tasks/9").failed(404, "feed.no-such-task");
  }

  @Test
  void guard_stopsAndFinishWithForceOverrides() {
    upload(seller, "me", "taskId=1&format=ndjson", items(0, 50));
    HttpReply stopped = upload(seller, "me", "taskId=2&format=ndjson", items(0, 10)).ok();
    assertThat(stopped.text("status")).isEqualTo("STOPPED");
    assertThat(stopped.text("message")).contains("40 of 50");
    HttpReply finished = TORG.post(seller, "/v1/feeds/me/tasks/2:finish", "{\"force\":true}").ok();
    assertThat(finished.text("status")).isEqualTo("FINISHED");
    assertThat(finished.body().path("removed").asInt()).isEqualTo(40);
  }

  @Test
  void grpcUpload_ofAFileInPieces_isOneFeed() throws Exception {
    FeedTask task =
        grpc(
            start(FeedStart.Format.NDJSON),
            data(items(0, 2).substring(0, 30)),
            data(items(0, 2).substring(30)));
    assertThat(task.getStatus()).isEqualTo(FeedTask.Status.FINISHED);
    assertThat(task.getCreated()).isEqualTo(2);
  }

  /// Its reader calls again after the end.
  @Test
  void grpcUpload_withoutTheLastLineEnd_isOneFeed() throws Exception {
    FeedTask task = grpc(start(FeedStart.Format.NDJSON), data(items(0, 2).stripTrailing()));
    assertThat(task.getStatus()).isEqualTo(FeedTask.Status.FINISHED);
    assertThat(task.getCreated()).isEqualTo(2);
  }

  @Test
  void grpcUpload_ofItems_isAFeed() throws Exception {
    Offer offer = Offer.newBuilder().setCategory("electronics").setTitle("As a message").build();
    FeedTask task =
        grpc(
            start(FeedStart.Format.FORMAT_UNSPECIFIED),
            item(offer.toBuilder().setExternalId("a").build()),
            item(offer),
            item(offer.toBuilder().setTitle("x").build()));
    assertThat(task.getCreated()).isEqualTo(2);
    assertThat(task.getFailed()).isEqualTo(1);
  }

  @Test
  void importOffer_keepsTimesAndIsNeverNew() {
    String offer =
        "{\"offer\":{\"sellerId\":\"%s\",\"category\":\"electronics\",\"title\":\"From before\",\"createdAt\":\"2020-05-01T10:00:00Z\"}}"
            .formatted(seller.subject());
    TORG.post(seller, "/v1/offers:import", offer).failed(403, "role.missing");
    HttpReply imported = TORG.post(TORG.service(), "/v1/offers:import", offer).ok();
    assertThat(imported.text("createdAt")).isEqualTo("2020-05-01T10:00:00Z");
    assertThat(imported.text("status")).isEqualTo("ACTIVE");
    assertThat(imported.body().has("activatedAt")).isFalse();
    String id = imported.text("id");
    TORG.post(seller, "/v1/offers/" + id + ":withdraw", "{}").ok();
    HttpReply reactivated = TORG.post(seller, "/v1/offers/" + id + ":reactivate", "{}").ok();
    assertThat(reactivated.body().has("activatedAt")).isFalse();
  }

  @Test
  void importOffer_badStatusOrTime_isInvalid() {
    String offer =
        "{\"offer\":{\"sellerId\":\"%s\",\"category\":\"electronics\",\"title\":\"From before\",%s}}";
    TORG.post(
            TORG.service(),
            "/v1/offers:import",
            offer.formatted(seller.subject(), "\"status\":\"BANNED\""))
        .invalid("offer.status");
    TORG.post(
            TORG.service(),
            "/v1/offers:import",
            offer.formatted(seller.subject(), "\"createdAt\":\"2999-01-01T00:00:00Z\""))
        .invalid("offer.createdAt");
  }

  private static int created(HttpReply task) {
    return task.ok().body().path("created").asInt();
  }

  private FeedTask grpc(FeedMessage... messages) throws Exception {
    URI uri = TORG.uri("/");
    ManagedChannel channel =
        OkHttpChannelBuilder.forAddress(uri.getHost(), uri.getPort()).usePlaintext().build();
    try {
      Metadata token = new Metadata();
      token.put(
          Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
          "Bearer " + seller.token());
      CompletableFuture<FeedTask> response = new CompletableFuture<>();
      StreamObserver<FeedMessage> sending =
          FeedServiceGrpc.newStub(channel)
              .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(token))
              .upload(new UploadResponse(response));
      for (FeedMessage message : messages) {
        sending.onNext(message);
      }
      sending.onCompleted();
      return response.get(30, TimeUnit.SECONDS);
    } finally {
      channel.shutdownNow();
    }
  }

  private record UploadResponse(CompletableFuture<FeedTask> response)
      implements StreamObserver<FeedTask> {
    @Override
    public void onNext(FeedTask task) {
      response.complete(task);
    }

    @Override
    public void onError(Throwable error) {
      response.completeExceptionally(error);
    }

    @Override
    public void onCompleted() {}
  }

  private static FeedMessage start(FeedStart.Format format) {
    return FeedMessage.newBuilder()
        .setStart(FeedStart.newBuilder().setSeller("me").setTaskId(1).setFormat(format))
        .build();
  }

  private static FeedMessage data(String text) {
    return FeedMessage.newBuilder().setData(ByteString.copyFromUtf8(text)).build();
  }

  private static FeedMessage item(Offer offer) {
    return FeedMessage.newBuilder().setItem(FeedItem.newBuilder().setOffer(offer)).build();
  }

  private static HttpReply upload(TestUser user, String seller, String query, String body) {
    return upload(user, seller, query, body.getBytes(StandardCharsets.UTF_8), "identity");
  }

  private static HttpReply upload(
      TestUser user, String seller, String query, byte[] body, String encoding) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(TORG.uri("/v1/feeds/" + seller + "?" + query))
            .header("Content-Encoding", encoding)
            .POST(BodyPublishers.ofByteArray(body));
    if (!user.token().isEmpty()) {
      request.header("Authorization", "Bearer " + user.token());
    }
    try {
      var response = TORG.client().send(request.build(), BodyHandlers.ofString());
      return new HttpReply(response.statusCode(), TestTorg.JSON.readTree(response.body()));
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(query, e);
    }
  }

  private static String items(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(
            i ->
                "{\"externalId\":\"%d\",\"category\":\"electronics\",\"title\":\"Item %d\"}\n"
                    .formatted(i, i))
        .collect(Collectors.joining());
  }
}
