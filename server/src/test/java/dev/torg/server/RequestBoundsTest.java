package dev.torg.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodOptions;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Timestamp;
import com.google.protobuf.UnknownFieldSet;
import com.linecorp.armeria.client.grpc.GrpcClients;
import dev.torg.api.v1.AddSellersRequest;
import dev.torg.api.v1.BatchActRequest;
import dev.torg.api.v1.BatchResults;
import dev.torg.api.v1.CallerKind;
import dev.torg.api.v1.CallersProto;
import dev.torg.api.v1.DeliverySettings;
import dev.torg.api.v1.FavoriteServiceGrpc;
import dev.torg.api.v1.FeedItem;
import dev.torg.api.v1.FeedMessage;
import dev.torg.api.v1.FeedServiceGrpc;
import dev.torg.api.v1.FeedTask;
import dev.torg.api.v1.GetOfferRequest;
import dev.torg.api.v1.ListFavoritesRequest;
import dev.torg.api.v1.ListFavoritesResponse;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OfferServiceGrpc;
import dev.torg.api.v1.Problem;
import dev.torg.api.v1.PublishOfferRequest;
import dev.torg.platform.Failure;
import dev.torg.platform.Failure.Violation;
import dev.torg.server.RunningServer.Reply;
import dev.torg.server.route.RpcBinding;
import io.grpc.BindableService;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.AbstractStub;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests that are small to send and large to hold, over JSON, gRPC and gRPC-Web: none of them reaches its service.
class RequestBoundsTest {
  private static final int MEGABYTE = 1 << 20;

  static RunningServer torg;
  static final Favorites FAVORITES = new Favorites();
  static final Feeds FEEDS = new Feeds();
  static String[] user;

  @BeforeAll
  static void start() {
    torg = new RunningServer(FAVORITES, FEEDS);
    user = new String[] {"Authorization", "Bearer " + torg.user()};
  }

  @AfterAll
  static void stop() {
    torg.close();
  }

  /// Counts what reaches it.
  static final class Favorites extends FavoriteServiceGrpc.FavoriteServiceImplBase {
    final AtomicInteger reached = new AtomicInteger();

    @Override
    public void addSellers(AddSellersRequest request, StreamObserver<BatchResults> response) {
      reached.incrementAndGet();
      response.onNext(BatchResults.getDefaultInstance());
      response.onCompleted();
    }

    @Override
    public void listFavorites(
        ListFavoritesRequest request, StreamObserver<ListFavoritesResponse> response) {
      reached.incrementAndGet();
      response.onNext(ListFavoritesResponse.getDefaultInstance());
      response.onCompleted();
    }
  }

  /// Responds with the number of messages.
  static final class Feeds extends FeedServiceGrpc.FeedServiceImplBase {
    @Override
    public StreamObserver<FeedMessage> upload(StreamObserver<FeedTask> response) {
      AtomicInteger messages = new AtomicInteger();
      return new StreamObserver<>() {
        @Override
        public void onNext(FeedMessage message) {
          messages.incrementAndGet();
        }

        @Override
        public void onError(Throwable t) {}

        @Override
        public void onCompleted() {
          response.onNext(FeedTask.newBuilder().setCreated(messages.get()).build());
          response.onCompleted();
        }
      };
    }
  }

  static <S extends AbstractStub<S>> S asUser(S stub) {
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), user[1]);
    return stub.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  static List<String> sellers() {
    return IntStream.range(0, 500).mapToObj(i -> "user:" + i).toList();
  }

  static AddSellersRequest following(int channelLength) {
    return AddSellersRequest.newBuilder()
        .addAllSellerIds(sellers())
        .setSettings(DeliverySettings.newBuilder().addChannels("a".repeat(channelLength)))
        .build();
  }

  static String followingJson(int channelLength) {
    return "{\"sellerIds\":[\"%s\"],\"settings\":{\"channels\":[\"%s\"]}}"
        .formatted(String.join("\",\"", sellers()), "a".repeat(channelLength));
  }

  static Problem problem(StatusRuntimeException refused) throws Exception {
    return StatusProto.fromThrowable(refused).getDetails(0).unpack(Problem.class);
  }

  static Problem refused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call)
      throws Exception {
    StatusRuntimeException e = catchThrowableOfType(StatusRuntimeException.class, call);
    assertThat(e.getStatus().getCode()).as("%s", e).isEqualTo(Status.Code.INVALID_ARGUMENT);
    return problem(e);
  }

  static JsonNode refused(Reply reply) {
    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    return reply.json();
  }

  @Test
  void addSellers_channelOfEightMegabytesForFiveHundredSellers_isRefusedBeforeItIsRead()
      throws Exception {
    int before = FAVORITES.reached.get();
    JsonNode json = refused(torg.post("/v1/favorites/sellers:add", followingJson(7_900_000), user));
    assertThat(json.get("code").asText()).isEqualTo("request.too-large");
    Problem grpc =
        refused(
            () ->
                asUser(FavoriteServiceGrpc.newBlockingStub(torg.channel))
                    .addSellers(following(7_900_000)));
    assertThat(grpc.getCode()).isEqualTo("request.too-large");
    assertThat(FAVORITES.reached).hasValue(before);
  }

  @ParameterizedTest
  @ValueSource(ints = {501, 900_000})
  void addSellers_longChannel_isRefusedByItsName(int length) throws Exception {
    int before = FAVORITES.reached.get();
    JsonNode json = refused(torg.post("/v1/favorites/sellers:add", followingJson(length), user));
    assertThat(json.at("/violations/0/field").asText()).isEqualTo("settings.channels[0]");
    Problem grpc =
        refused(
            () ->
                asUser(FavoriteServiceGrpc.newBlockingStub(torg.channel))
                    .addSellers(following(length)));
    assertThat(grpc.getViolations(0).getField()).isEqualTo("settings.channels[0]");
    assertThat(FAVORITES.reached).hasValue(before);
  }

  /// 900 kB of one-letter ids would be 50 MB of objects.
  @ParameterizedTest
  @ValueSource(strings = {"gproto", "gproto-web", "gproto-web-text", "gjson"})
  void batchAct_hundredThousandsOfIds_isRefusedInEveryProtocol(String format) throws Exception {
    var stub =
        GrpcClients.builder(format + "+" + torg.server.uri())
            .setHeader("authorization", user[1])
            .build(OfferServiceGrpc.OfferServiceBlockingStub.class);
    BatchActRequest request =
        BatchActRequest.newBuilder().addAllIds(Collections.nCopies(200_000, "7")).build();
    assertThat(refused(() -> stub.batchAct(request)).getViolationsList()).isNotEmpty();
    assertThat(stub.batchAct(BatchActRequest.newBuilder().addIds("7").build()).getResultsCount())
        .isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/offers:batchAct", "/torg.v1.OfferService/BatchAct"})
  void batchAct_hundredThousandsOfValues_isRefusedAsJson(String path) {
    for (String value : List.of("{}", "[]", "\"7\"", "1")) {
      String many = String.join(",", Collections.nCopies(200_000, value));
      assertThat(many.length()).isLessThan(MEGABYTE);
      refused(torg.post(path, "{\"ids\":[" + many + "]}", user));
      refused(torg.post(path, "{\"nope\":[" + many + "]}", user));
      refused(torg.post(path, "[" + many + "]", user));
    }
  }

  @Test
  void query_moreItemsThanAllowed_isRefused() {
    String many = "kind=OFFER" + "&pageToken=" + "x".repeat(1_001);
    JsonNode problem = refused(torg.get("/v1/favorites?" + many, user));
    assertThat(problem.at("/violations/0/field").asText()).isEqualTo("pageToken");
    JsonNode path = refused(torg.get("/v1/offers/" + "7".repeat(501)));
    assertThat(path.at("/violations/0/field").asText()).isEqualTo("id");
  }

  /// A method declares how long its requests may be; without that a megabyte.
  @ParameterizedTest
  @ValueSource(strings = {"/v1/offers", "/torg.v1.OfferService/PublishOffer"})
  void publish_moreThanAMegabyte_isTooLarge(String path) {
    String padding = " ".repeat(MEGABYTE);
    JsonNode problem = refused(torg.post(path, "{" + padding + "}", user));
    assertThat(problem.get("code").asText()).isEqualTo("request.too-large");
    String nearly = "{" + " ".repeat(MEGABYTE - 2) + "}";
    assertThat(torg.post(path, nearly, user).status()).isEqualTo(200);
  }

  @Test
  void publish_largestDescription_isAccepted() {
    String description = "\\u0416".repeat(40_000);
    Reply reply =
        torg.post("/v1/offers", "{\"offer\":{\"description\":\"" + description + "\"}}", user);
    assertThat(reply.status()).isEqualTo(200);
    assertThat(torg.offers.published.getOffer().getDescription()).hasSize(40_000);
  }

  @Test
  void compressedMessage_isUnimplementedAndReportsWhatIsAccepted() throws Exception {
    var trailers = new java.util.concurrent.atomic.AtomicReference<Metadata>();
    var headers = new java.util.concurrent.atomic.AtomicReference<Metadata>();
    StatusRuntimeException refusal =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () ->
                asUser(OfferServiceGrpc.newBlockingStub(torg.channel))
                    .withCompression("gzip")
                    .withInterceptors(
                        MetadataUtils.newCaptureMetadataInterceptor(headers, trailers))
                    .batchAct(
                        BatchActRequest.newBuilder()
                            .addAllIds(Collections.nCopies(1_000_000, "7"))
                            .build()));
    assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
    assertThat(refusal.getStatus().getDescription()).contains("compressed");
    assertThat(problem(refusal).getCode()).isEqualTo("request.encoding");
    var accepted = Metadata.Key.of("grpc-accept-encoding", Metadata.ASCII_STRING_MARSHALLER);
    assertThat(
            headers.get() != null && headers.get().containsKey(accepted)
                ? headers.get().get(accepted)
                : trailers.get().get(accepted))
        .isEqualTo("identity");
  }

  @Test
  void unknownFields_doNotReachTheService() {
    UnknownFieldSet unknown =
        UnknownFieldSet.newBuilder()
            .addField(
                999,
                UnknownFieldSet.Field.newBuilder()
                    .addLengthDelimited(ByteString.copyFromUtf8("x".repeat(1_000)))
                    .build())
            .build();
    asUser(OfferServiceGrpc.newBlockingStub(torg.channel))
        .publishOffer(
            PublishOfferRequest.newBuilder()
                .setOffer(Offer.newBuilder().setTitle("Bike").setUnknownFields(unknown))
                .setUnknownFields(unknown)
                .build());
    assertThat(torg.offers.published)
        .isEqualTo(
            PublishOfferRequest.newBuilder().setOffer(Offer.newBuilder().setTitle("Bike")).build());
  }

  @Test
  void timestampThatIsNoTime_isInvalid() throws Exception {
    ListFavoritesRequest request =
        ListFavoritesRequest.newBuilder()
            .setCreatedAfter(Timestamp.newBuilder().setSeconds(Long.MAX_VALUE))
            .build();
    Problem problem =
        refused(
            () -> asUser(FavoriteServiceGrpc.newBlockingStub(torg.channel)).listFavorites(request));
    assertThat(problem.getViolations(0).getField()).isEqualTo("createdAfter");
  }

  @Test
  void upload_messagesOfAStream_haveTheirOwnBounds() throws Exception {
    FeedMessage piece =
        FeedMessage.newBuilder().setData(ByteString.copyFrom(new byte[5_000_000])).build();
    assertThat(upload(piece, piece, piece).get(30, TimeUnit.SECONDS).getCreated()).isEqualTo(3);
    FeedMessage tooLong =
        FeedMessage.newBuilder().setData(ByteString.copyFrom(new byte[8_000_001])).build();
    assertRefusedUpload(upload(piece, tooLong), "data");
    FeedItem item = FeedItem.newBuilder().addAllPhotoUrls(Collections.nCopies(1_001, "x")).build();
    assertRefusedUpload(upload(FeedMessage.newBuilder().setItem(item).build()), "item.photoUrls");
  }

  private static void assertRefusedUpload(CompletableFuture<FeedTask> upload, String field)
      throws Exception {
    StatusRuntimeException refusal =
        (StatusRuntimeException)
            catchThrowableOfType(
                    java.util.concurrent.ExecutionException.class,
                    () -> upload.get(30, TimeUnit.SECONDS))
                .getCause();
    assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(problem(refusal).getViolations(0).getField()).isEqualTo(field);
  }

  private static CompletableFuture<FeedTask> upload(FeedMessage... messages) {
    FirstResponse<FeedTask> response = new FirstResponse<>();
    StreamObserver<FeedMessage> stream =
        asUser(FeedServiceGrpc.newStub(torg.channel)).upload(response);
    for (FeedMessage message : messages) {
      stream.onNext(message);
    }
    stream.onCompleted();
    return response.first;
  }

  /// A refusal repeats only a limited part of the request.
  @Test
  void violations_manyAndLong_areCappedOverEveryProtocol() throws Exception {
    List<Violation> many =
        Collections.nCopies(10_000, new Violation("f".repeat(5_000), "😀".repeat(5_000)));
    torg.offers.next =
        _ -> CompletableFuture.failedFuture(Failure.invalid("x.y", "no".repeat(50_000), many));
    try {
      JsonNode json = refused(torg.get("/v1/offers/7"));
      assertThat(json.get("violations")).hasSize(100);
      assertThat(json.at("/violations/0/field").asText()).hasSizeLessThanOrEqualTo(201);
      assertThat(json.at("/violations/99/message").asText()).hasSizeLessThanOrEqualTo(201);
      assertThat(json.get("detail").asText()).hasSizeLessThanOrEqualTo(1_001);
      Problem grpc =
          refused(
              () ->
                  OfferServiceGrpc.newBlockingStub(torg.channel)
                      .getOffer(GetOfferRequest.newBuilder().setId("7").build()));
      assertThat(grpc.getCode()).isEqualTo("x.y");
      assertThat(grpc.getViolationsCount()).isBetween(1, 100);
      assertThat(grpc.getViolations(0).getField()).hasSizeLessThanOrEqualTo(201);
    } finally {
      torg.offers.next =
          id -> CompletableFuture.completedFuture(Offer.newBuilder().setId(id).build());
    }
  }

  @Test
  void start_requestFieldWithoutBounds_isRefused() throws Exception {
    BindableService unbounded = unbounded();
    assertThatThrownBy(
            () ->
                TorgServer.start(
                    ServerConfig.local(0),
                    RunningServer.newTokens(),
                    List.of(RpcBinding.async(unbounded)),
                    List.of(),
                    List.of(),
                    new PrometheusMeterRegistry(PrometheusConfig.DEFAULT)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("test.Request.names")
        .hasMessageContaining("max_items");
  }

  /// A service that declares its callers, with a request that has a list of any length.
  private static BindableService unbounded() throws Exception {
    FileDescriptorProto file =
        FileDescriptorProto.newBuilder()
            .setName("test.proto")
            .setPackage("test")
            .setSyntax("proto3")
            .addMessageType(
                DescriptorProto.newBuilder()
                    .setName("Request")
                    .addField(
                        FieldDescriptorProto.newBuilder()
                            .setName("names")
                            .setNumber(1)
                            .setType(FieldDescriptorProto.Type.TYPE_STRING)
                            .setLabel(FieldDescriptorProto.Label.LABEL_REPEATED)))
            .addService(
                ServiceDescriptorProto.newBuilder()
                    .setName("Unbounded")
                    .addMethod(
                        MethodDescriptorProto.newBuilder()
                            .setName("Call")
                            .setInputType(".test.Request")
                            .setOutputType(".test.Request")
                            .setOptions(
                                MethodOptions.newBuilder()
                                    .addExtension(CallersProto.callers, CallerKind.ANYONE))))
            .build();
    FileDescriptor built = FileDescriptor.buildFrom(file, new FileDescriptor[0]);
    var marshaller =
        ProtoUtils.marshaller(
            DynamicMessage.getDefaultInstance(built.findMessageTypeByName("Request")));
    MethodDescriptor<DynamicMessage, DynamicMessage> method =
        MethodDescriptor.<DynamicMessage, DynamicMessage>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("test.Unbounded/Call")
            .setRequestMarshaller(marshaller)
            .setResponseMarshaller(marshaller)
            .setSchemaDescriptor(new Described(built))
            .build();
    return () ->
        ServerServiceDefinition.builder("test.Unbounded")
            .addMethod(method, ServerCalls.asyncUnaryCall((_, response) -> response.onCompleted()))
            .build();
  }

  private record Described(FileDescriptor file) implements ProtoMethodDescriptorSupplier {
    @Override
    public com.google.protobuf.Descriptors.MethodDescriptor getMethodDescriptor() {
      return getServiceDescriptor().findMethodByName("Call");
    }

    @Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return file.findServiceByName("Unbounded");
    }

    @Override
    public FileDescriptor getFileDescriptor() {
      return file;
    }
  }
}
