package dev.torg.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import dev.torg.api.v1.CabinetServiceGrpc.CabinetServiceImplBase;
import dev.torg.api.v1.Caller;
import dev.torg.api.v1.CategoryServiceGrpc.CategoryServiceImplBase;
import dev.torg.api.v1.DraftServiceGrpc.DraftServiceImplBase;
import dev.torg.api.v1.IdentityServiceGrpc.IdentityServiceImplBase;
import dev.torg.api.v1.ModerationServiceGrpc.ModerationServiceImplBase;
import dev.torg.api.v1.OfferServiceGrpc.OfferServiceImplBase;
import dev.torg.api.v1.PhotoServiceGrpc.PhotoServiceImplBase;
import dev.torg.server.json.JsonResponses;
import dev.torg.server.json.JsonRoutes;
import dev.torg.server.route.HttpRoute;
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
                List.of(Caller.USER),
                "Adds a photo",
                (_, _) -> HttpResponse.of(200))
            .asUpload();
    HttpRoute pages =
        new HttpRoute(
            HttpMethod.GET,
            HttpRoute.PREFIX + "/pages",
            List.of(Caller.ANYONE),
            "Pages",
            (_, _) -> HttpResponse.of(200));
    HttpRoute picture =
        new HttpRoute(
            HttpMethod.GET,
            "/photos/{photoId}/{size}",
            List.of(Caller.ANYONE),
            "A picture",
            (_, _) -> HttpResponse.of(200));
    document = new OpenApi(routes.methods(), List.of(upload, pages, picture)).json();
    api = new ObjectMapper().readTree(document);
  }

  @Test
  void document_isValidForAnIndependentParser() {
    SwaggerParseResult result = new OpenAPIV3Parser().readContents(document);
    assertThat(result.getMessages()).isEmpty();
    assertThat(result.getOpenAPI().getPaths()).hasSizeGreaterThan(20);
  }

  @Test
  void everyHttpRule_isThere() {
    assertThat(api.at("/paths/~1v1~1offers~1{id}/get/operationId").asText())
        .isEqualTo("OfferService_GetOffer");
    assertThat(api.at("/paths/~1v1~1offers~1{id}:withdraw/post").isObject()).isTrue();
    assertThat(api.at("/paths/~1v1~1drafts~1{id}/delete").isObject()).isTrue();
    assertThat(api.at("/paths/~1v1~1sellers~1{seller}~1presets:repair/post").isObject()).isTrue();
  }

  @Test
  void comments_ofTheProtoFiles_describe() {
    assertThat(api.at("/paths/~1v1~1offers/post/summary").asText())
        .isEqualTo("Publishes without a draft.");
    assertThat(api.at("/components/schemas/Offer/properties/id/description").asText())
        .isEqualTo("16 digits: home, random, check digit.");
  }

  @Test
  void upload_onTheSamePathAsAnRpc_isAnotherKindOfBody() {
    JsonNode add = api.at("/paths/~1v1~1offers~1{id}~1photos/post");
    assertThat(add.path("operationId").asText()).isEqualTo("PhotoService_AddOfferPhoto");
    assertThat(add.at("/requestBody/content/application~1json/schema").isObject()).isTrue();
    assertThat(
            add.at("/requestBody/content/multipart~1form-data/schema/properties/file/format")
                .asText())
        .isEqualTo("binary");
  }

  @Test
  void callers_becomeSecurity() {
    JsonNode publish = api.at("/paths/~1v1~1offers/post");
    assertThat(publish.get("security")).hasSize(1);
    assertThat(publish.get("description").asText()).isEqualTo("Callers: USER");
    JsonNode get = api.at("/paths/~1v1~1offers~1{id}/get");
    assertThat(get.get("security")).hasSize(2);
    assertThat(api.at("/components/securitySchemes/token/scheme").asText()).isEqualTo("bearer");
  }

  @Test
  void creatingCall_takesIdempotencyKey_othersDoNot() {
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
    JsonNode body =
        api.at("/paths/~1v1~1offers~1{id}/put/requestBody/content/application~1json/schema");
    assertThat(body.get("properties").has("offer")).isTrue();
    assertThat(body.get("properties").has("id")).isFalse();
  }

  @Test
  void schemas_followProto3Json() {
    JsonNode offer = api.at("/components/schemas/Offer/properties");
    assertThat(offer.at("/version/type").asText()).isEqualTo("string");
    assertThat(offer.at("/createdAt/format").asText()).isEqualTo("date-time");
    assertThat(offer.at("/price/$ref").asText()).isEqualTo("#/components/schemas/Money");
    assertThat(offer.at("/attributes/type").asText()).isEqualTo("object");
    assertThat(offer.at("/status/enum").toString()).contains("\"WITHDRAWN\"");
    assertThat(offer.at("/photos/items/$ref").asText()).isEqualTo("#/components/schemas/Photo");
    assertThat(api.at("/components/schemas/Category/properties/children/items/$ref").asText())
        .isEqualTo("#/components/schemas/Category");
  }

  @Test
  void plainRoutes_areThereWithParametersAndCallers() {
    JsonNode picture = api.at("/paths/~1photos~1{photoId}~1{size}/get");
    assertThat(picture.get("summary").asText()).isEqualTo("A picture");
    assertThat(picture.get("description").asText()).isEqualTo("Callers: ANYONE");
    assertThat(picture.at("/parameters/0/name").asText()).isEqualTo("photoId");
  }

  @Test
  void routesBelowAPrefix_areNotThere() {
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
    api.get("paths")
        .forEach(
            path ->
                path.forEach(
                    operation ->
                        assertThat(operation.at("/responses/default/$ref").asText())
                            .isEqualTo("#/components/responses/Problem")));
    assertThat(
            api.at("/components/responses/Problem/content/application~1problem+json/schema/$ref")
                .asText())
        .isEqualTo("#/components/schemas/Problem");
  }
}
