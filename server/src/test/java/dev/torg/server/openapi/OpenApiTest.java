package dev.torg.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import dev.torg.api.v1.CabinetServiceGrpc.CabinetServiceImplBase;
import dev.torg.api.v1.CallerKind;
import dev.torg.api.v1.CategoryServiceGrpc.CategoryServiceImplBase;
import dev.torg.api.v1.DraftServiceGrpc.DraftServiceImplBase;
import dev.torg.api.v1.IdentityServiceGrpc.IdentityServiceImplBase;
import dev.torg.api.v1.ModerationServiceGrpc.ModerationServiceImplBase;
import dev.torg.api.v1.OfferServiceGrpc.OfferServiceImplBase;
import dev.torg.api.v1.PhotoServiceGrpc.PhotoServiceImplBase;
import dev.torg.server.json.JsonResponses;
import dev.torg.server.json.JsonRoutes;
import dev.torg.server.route.HttpRoute;
import dev.torg.server.route.RouteDoc;
import io.grpc.BindableService;
import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.SwaggerParseResult;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class OpenApiTest {
  static String document;
  static JsonNode api;

  @BeforeAll
  static void generate() throws Exception {
    JsonRoutes routes =
        new JsonRoutes(
            new JsonResponses(1 << 20),
            Stream.<BindableService>of(
                    new IdentityServiceImplBase() {},
                    new OfferServiceImplBase() {},
                    new DraftServiceImplBase() {},
                    new CabinetServiceImplBase() {},
                    new ModerationServiceImplBase() {},
                    new CategoryServiceImplBase() {},
                    new PhotoServiceImplBase() {})
                .map(BindableService::bindService)
                .toList());
    HttpRoute upload =
        new HttpRoute(
                HttpMethod.POST,
                "/v1/offers/{id}/photos",
                List.of(CallerKind.USER),
                RouteDoc.of("uploadOfferPhoto", "Photos", "Adds a photo"),
                (_, _) -> HttpResponse.of(200))
            .asUpload();
    HttpRoute pages =
        new HttpRoute(
            HttpMethod.GET,
            HttpRoute.PREFIX + "/pages",
            List.of(CallerKind.ANYONE),
            RouteDoc.of("getPages", "Pages", "Pages"),
            (_, _) -> HttpResponse.of(200));
    HttpRoute image =
        new HttpRoute(
            HttpMethod.GET,
            "/photos/{photoId}/{size}",
            List.of(CallerKind.ANYONE),
            RouteDoc.of("getPhotoImage", "Photos", "Returns an image")
                .returning("image/jpeg")
                .failingWith("photo.not-found"),
            (_, _) -> HttpResponse.of(200));
    document = new OpenApi(routes.methods(), List.of(upload, pages, image), List.of()).json();
    api = new ObjectMapper().readTree(document);
  }

  @Test
  void document_isValidForAnIndependentParser() {
    SwaggerParseResult result = new OpenAPIV3Parser().readContents(document);
    assertThat(result.getMessages()).isEmpty();
    assertThat(result.getOpenAPI().getPaths()).hasSizeGreaterThan(20);
  }

  @Test
  void everyHttpRule_isListed() {
    assertThat(api.at("/paths/~1v1~1offers~1{id}/get/operationId").asText()).isEqualTo("getOffer");
    assertThat(api.at("/paths/~1v1~1offers~1{id}:withdraw/post").isObject()).isTrue();
    assertThat(api.at("/paths/~1v1~1drafts~1{id}/delete").isObject()).isTrue();
    assertThat(api.at("/paths/~1v1~1sellers~1{seller}~1presets:repair/post").isObject()).isTrue();
  }

  @Test
  void comments_ofTheProtoFiles_describe() {
    JsonNode publish = api.at("/paths/~1v1~1offers/post");
    assertThat(publish.path("summary").asText()).isEqualTo("Publishes an offer without a draft");
    assertThat(publish.path("description").asText()).startsWith("In a premoderated category");
    assertThat(api.at("/components/schemas/Offer/properties/id/description").asText())
        .isEqualTo("16 digits. The last one is a check digit.");
    assertThat(api.at("/components/schemas/PresetName/description").asText())
        .contains("- `ALL`: All offers that are not removed.");
  }

  @Test
  void upload_onTheSamePathAsAnRpc_isAnotherKindOfBody() {
    JsonNode add = api.at("/paths/~1v1~1offers~1{id}~1photos/post");
    assertThat(add.path("operationId").asText()).isEqualTo("addOfferPhoto");
    assertThat(add.at("/requestBody/content/application~1json/schema").isObject()).isTrue();
    assertThat(
            add.at("/requestBody/content/multipart~1form-data/schema/additionalProperties/format")
                .asText())
        .isEqualTo("binary");
  }

  @Test
  void callers_becomeSecurity() {
    JsonNode publish = api.at("/paths/~1v1~1offers/post");
    assertThat(publish.get("security")).hasSize(1);
    assertThat(publish.get("description").asText())
        .endsWith("Requires the token of a logged-in user or of a service.");
    JsonNode get = api.at("/paths/~1v1~1offers~1{id}/get");
    assertThat(get.get("security")).hasSize(2);
    assertThat(api.at("/components/securitySchemes/token/scheme").asText()).isEqualTo("bearer");
  }

  @Test
  void creatingCall_acceptsIdempotencyKey_othersDoNot() {
    assertThat(api.at("/paths/~1v1~1offers/post/parameters").findValuesAsText("name"))
        .contains("Idempotency-Key");
    assertThat(api.at("/paths/~1v1~1offers:batchGet/post/parameters").findValuesAsText("name"))
        .doesNotContain("Idempotency-Key");
  }

  @Test
  void queryAndPath_areParameters() {
    JsonNode parameters = api.at("/paths/~1v1~1sellers~1{seller}~1offers/get/parameters");
    assertThat(parameters.findValuesAsText("name"))
        .containsExactlyInAnyOrder("seller", "preset", "externalId", "pageSize", "pageToken");
    assertThat(api.at("/paths/~1v1~1sellers~1{seller}~1offers/get").has("requestBody")).isFalse();
  }

  @Test
  void body_hasNoFieldsOfThePath() {
    assertThat(
            api.at("/paths/~1v1~1offers~1{id}/put/requestBody/content/application~1json/schema")
                .path("$ref")
                .asText())
        .isEqualTo("#/components/schemas/UpdateOfferRequest");
    JsonNode body = api.at("/components/schemas/UpdateOfferRequest");
    assertThat(body.get("properties").has("offer")).isTrue();
    assertThat(body.get("properties").has("id")).isFalse();
  }

  @Test
  void schemas_followProto3Json() {
    JsonNode offer = api.at("/components/schemas/Offer/properties");
    assertThat(offer.at("/version/type").asText()).isEqualTo("string");
    assertThat(offer.at("/createdAt/format").asText()).isEqualTo("date-time");
    assertThat(offer.at("/price/allOf/0/$ref").asText()).isEqualTo("#/components/schemas/Money");
    assertThat(offer.at("/attributes/type").asText()).isEqualTo("object");
    assertThat(offer.at("/status/allOf/0/$ref").asText())
        .isEqualTo("#/components/schemas/OfferStatus");
    assertThat(api.at("/components/schemas/OfferStatus/enum").toString()).contains("\"WITHDRAWN\"");
    assertThat(offer.at("/photos/items/$ref").asText()).isEqualTo("#/components/schemas/Photo");
    assertThat(api.at("/components/schemas/Category/properties/children/items/$ref").asText())
        .isEqualTo("#/components/schemas/Category");
  }

  @Test
  void plainRoutes_areListedWithParametersAndCallers() {
    JsonNode image = api.at("/paths/~1photos~1{photoId}~1{size}/get");
    assertThat(image.get("summary").asText()).isEqualTo("Returns an image");
    assertThat(image.get("operationId").asText()).isEqualTo("getPhotoImage");
    assertThat(image.get("tags").path(0).asText()).isEqualTo("Photos");
    assertThat(image.get("description").asText()).isEqualTo("No token is needed.");
    assertThat(image.at("/responses/200/content/image~1jpeg").isObject()).isTrue();
    assertThat(image.at("/parameters/0/name").asText()).isEqualTo("photoId");
  }

  @Test
  void routesBelowAPrefix_areNotListed() {
    assertThat(api.get("paths").fieldNames())
        .toIterable()
        .noneMatch(path -> path.contains("pages"));
  }

  @Test
  void problem_hasTheMembersThatAreSent() {
    assertThat(api.at("/components/schemas/Problem/properties").fieldNames())
        .toIterable()
        .containsExactlyInAnyOrder(
            "type", "title", "status", "code", "detail", "violations", "requestId");
  }

  @Test
  void everyOperation_reportsHowItFails() {
    operations()
        .forEach(
            operation ->
                assertThat(
                        operation
                            .at("/responses/default/content/application~1problem+json/schema/$ref")
                            .asText())
                    .isEqualTo("#/components/schemas/Problem"));
  }

  @Test
  void errors_areListedByStatus_ownOnesWithTheirMeaning() {
    JsonNode update = api.at("/paths/~1v1~1offers~1{id}/put/responses");
    assertThat(update.at("/409/description").asText())
        .contains("- `offer.version-not-current`: The offer has changed since the given version.")
        .contains("offer.not-editable");
    assertThat(update.at("/409/x-error-codes").toString()).contains("offer.version-not-current");
    assertThat(update.at("/401/x-error-codes").toString())
        .contains("token.missing", "login.required");
    JsonNode get = api.at("/paths/~1v1~1offers~1{id}/get/responses");
    assertThat(get.at("/401/x-error-codes").toString())
        .contains("token.expired")
        .doesNotContain("token.missing");
    assertThat(get.has("409")).isFalse();
    assertThat(
            api.at("/paths/~1photos~1{photoId}~1{size}/get/responses/404/x-error-codes").toString())
        .contains("photo.not-found");
  }

  @Test
  void operationIds_areRpcNamesInLowerCamelCase_andUnique() {
    List<String> ids =
        operations().map(operation -> operation.path("operationId").asText()).toList();
    assertThat(ids)
        .doesNotHaveDuplicates()
        .allMatch(id -> id.matches("[a-z][A-Za-z0-9]+"))
        .contains("publishOffer", "whoAmI", "openDraft");
  }

  @Test
  void operationIds_ofAnRpcNameThatServicesShare_nameTheService() throws Exception {
    FileDescriptor file = services("OfferService", "FeedService");
    MethodDescriptor offers = file.getServices().getFirst().getMethods().getFirst();
    MethodDescriptor feeds = file.getServices().getLast().getMethods().getFirst();
    OperationIds ids = new OperationIds(List.of(offers, feeds, feeds));
    assertThat(ids.of(offers, 0)).isEqualTo("listOffer");
    assertThat(ids.of(feeds, 0)).isEqualTo("listFeed");
    assertThat(ids.of(feeds, 1)).isEqualTo("listFeed2");
    assertThatThrownBy(() -> ids.unique("listFeed")).hasMessageContaining("listFeed");
  }

  /// Services that each have a method `List`.
  private static FileDescriptor services(String... names) throws Exception {
    var file =
        FileDescriptorProto.newBuilder()
            .setName("test.proto")
            .addMessageType(DescriptorProto.newBuilder().setName("Empty"));
    for (String name : names) {
      file.addServiceBuilder()
          .setName(name)
          .addMethodBuilder()
          .setName("List")
          .setInputType("Empty")
          .setOutputType("Empty");
    }
    return FileDescriptor.buildFrom(file.build(), new FileDescriptor[0]);
  }

  @Test
  void tags_arePlainNouns_andDescribed() {
    assertThat(api.get("tags").findValuesAsText("name"))
        .contains("Offers", "Drafts", "Sellers", "Moderation", "Categories", "Photos", "Identity")
        .noneMatch(tag -> tag.endsWith("Service"));
  }

  @Test
  void bodies_areRequired_whereAFieldIs() {
    assertThat(required("/paths/~1v1~1offers/post")).isTrue();
    assertThat(api.at("/components/schemas/PublishOfferRequest/required/0").asText())
        .isEqualTo("offer");
    assertThat(required("/paths/~1v1~1offers~1{id}:markSold/post")).isFalse();
    assertThat(api.at("/paths/~1v1~1offers~1{id}:withdraw/post").has("requestBody")).isFalse();
    assertThat(api.at("/paths/~1v1~1anonymous/post").has("requestBody")).isFalse();
  }

  private static boolean required(String operation) {
    return api.at(operation + "/requestBody/required").asBoolean();
  }

  private static Stream<JsonNode> operations() {
    return api.get("paths").valueStream().flatMap(JsonNode::valueStream);
  }
}
