package dev.torg.server.openapi;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.torg.server.access.CallerPolicy;
import java.util.Map;

/// The parts of the document that do not depend on what is served: title, token, problem details.
final class OpenApiRoot {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final String TOKEN = "token";
  private static final String PROBLEM = "Problem";
  private static final String VIOLATION = "Violation";

  private static final String ABOUT =
      """
      The API of a Torg marketplace. Bodies are proto3 JSON: 64-bit numbers are strings, times are RFC 3339, an unknown \
      field in a request is an error.

      A failed call returns problem details (RFC 9457) as `application/problem+json`. Their `code` is stable; each \
      operation lists the codes that it can return.

      Lists are paged: pass `nextPageToken` of a response as `pageToken` of the next request; it is empty on the last page.
      """;

  private OpenApiRoot() {}

  /// @param common the meanings of errors that many operations have
  static ObjectNode json(
      String common, Map<String, String> tags, ObjectNode paths, ObjectNode schemas) {
    ObjectNode root = JSON.objectNode().put("openapi", "3.0.3");
    root.putObject("info")
        .put("title", "Torg")
        .put("version", "v1")
        .put("description", DocTexts.paragraphs(ABOUT.strip(), "Common errors:", common))
        .putObject("license")
        .put("name", "Apache-2.0");
    // The server that the document is loaded from.
    root.putArray("servers").addObject().put("url", "/");
    ArrayNode named = root.putArray("tags");
    tags.forEach((name, text) -> named.addObject().put("name", name).put("description", text));
    root.set("paths", paths);
    ObjectNode components = root.putObject("components");
    schemas.set(PROBLEM, problem());
    schemas.set(VIOLATION, violation());
    components.set("schemas", schemas);
    components
        .putObject("securitySchemes")
        .putObject(TOKEN)
        .put("type", "http")
        .put("scheme", "bearer")
        .put("bearerFormat", "JWT");
    return root;
  }

  static void security(ObjectNode operation, CallerPolicy callers) {
    ArrayNode security = operation.putArray("security");
    security.addObject().putArray(TOKEN);
    if (!callers.needsToken()) {
      security.addObject();
    }
  }

  static ObjectNode problemResponse(String description) {
    ObjectNode response = JSON.objectNode().put("description", description);
    response
        .putObject("content")
        .putObject("application/problem+json")
        .set("schema", reference(PROBLEM));
    return response;
  }

  private static ObjectNode problem() {
    ObjectNode schema =
        JSON.objectNode()
            .put("type", "object")
            .put("description", "Problem details of a failed call (RFC 9457).");
    ObjectNode properties = schema.putObject("properties");
    text(properties, "type", "A URN made from the code: `urn:torg:problem:offer.not-found`.");
    text(properties, "title", "A human-readable summary of the kind of error.");
    properties
        .putObject("status")
        .put("type", "integer")
        .put("format", "int32")
        .put("description", "The HTTP status.");
    text(properties, "code", "What went wrong, for programs: `offer.not-found`. Codes are stable.");
    text(properties, "detail", "A human-readable explanation of the error.");
    ObjectNode violations =
        properties
            .putObject("violations")
            .put("type", "array")
            .put("description", "The fields that are wrong, at most 100.");
    violations.set("items", reference(VIOLATION));
    text(
        properties, "requestId", "The id of the request, which the server's log contains as well.");
    schema.putArray("required").add("type").add("title").add("status").add("code").add("detail");
    return schema;
  }

  static ObjectNode reference(String schema) {
    return JSON.objectNode().put("$ref", "#/components/schemas/" + schema);
  }

  /// A map rather than a named property: openapi-generator refers to the model of a form that is an alternative to JSON
  /// without generating it. The server accepts any name.
  static ObjectNode fileUpload() {
    ObjectNode schema =
        JSON.objectNode()
            .put("type", "object")
            .put("description", "A form with one file; its field can have any name.");
    schema.putObject("additionalProperties").put("type", "string").put("format", "binary");
    return schema;
  }

  private static void text(ObjectNode properties, String name, String description) {
    properties.putObject(name).put("type", "string").put("description", description);
  }

  private static ObjectNode violation() {
    ObjectNode schema =
        JSON.objectNode()
            .put("type", "object")
            .put("description", "One field of a request that is wrong.");
    ObjectNode properties = schema.putObject("properties");
    text(properties, "field", "The path of the field as in JSON: `offer.attributes.year`.");
    text(properties, "message", "What is wrong with it.");
    return schema;
  }
}
