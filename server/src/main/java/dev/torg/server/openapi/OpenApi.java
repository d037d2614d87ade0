package dev.torg.server.openapi;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.linecorp.armeria.common.HttpMethod;
import dev.torg.api.v1.Caller;
import dev.torg.server.access.CallerPolicy;
import dev.torg.server.json.HttpRuleBinding;
import dev.torg.server.json.PathTemplate;
import dev.torg.server.route.HttpRoute;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The OpenAPI 3 document of everything that is served over HTTP.
public final class OpenApi {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final Pattern PARAMETER = Pattern.compile("\\{(\\w+)}");
  private static final String TOKEN = "token";
  private static final String PROBLEM = "Problem";

  private final Comments comments = Comments.load();
  private final Schemas schemas = new Schemas(comments);
  private final ObjectNode paths = JSON.objectNode();

  public OpenApi(List<HttpRuleBinding> methods, List<HttpRoute> routes) {
    methods.forEach(this::add);
    routes.stream().filter(OpenApi::isOneAddress).forEach(this::add);
  }

  public String json() {
    ObjectNode root = JSON.objectNode().put("openapi", "3.0.3");
    root.putObject("info")
        .put("title", "Torg")
        .put("version", "v1")
        .put("description", "Proto3 JSON; errors are application/problem+json.");
    root.set("paths", paths);
    ObjectNode components = root.putObject("components");
    ObjectNode named = schemas.named();
    named.set(PROBLEM, problem());
    components.set("schemas", named);
    components
        .putObject("securitySchemes")
        .putObject(TOKEN)
        .put("type", "http")
        .put("scheme", "bearer")
        .put("bearerFormat", "JWT");
    components
        .putObject("responses")
        .putObject(PROBLEM)
        .put("description", "The call failed")
        .putObject("content")
        .putObject("application/problem+json")
        .putObject("schema")
        .put("$ref", "#/components/schemas/" + PROBLEM);
    return root.toString();
  }

  private void add(HttpRuleBinding method) {
    var descriptor = method.descriptor();
    ObjectNode operation = operation(path(method.path(), method), method.httpMethod());
    operation.put("operationId", operationId(method));
    operation.putArray("tags").add(descriptor.getService().getName());
    String comment = comments.of(descriptor.getFullName());
    operation.put("summary", comment.isEmpty() ? descriptor.getName() : comment);
    access(operation, CallerPolicy.of(descriptor));
    ArrayNode parameters = operation.putArray("parameters");
    method.path().fields().forEach(name -> pathParameter(parameters, jsonName(method, name)));
    method.queryFields().forEach(field -> queryParameters(parameters, "", field));
    if (descriptor.getOptions().getExtension(dev.torg.api.v1.CallersProto.creates)) {
      idempotencyKey(parameters);
    }
    body(operation, method);
    operation
        .putObject("responses")
        .set("200", content("OK", schemas.reference(descriptor.getOutputType())));
    failures(operation);
  }

  /// What lies below a prefix are pages for people, not calls.
  private static boolean isOneAddress(HttpRoute route) {
    return !route.path().startsWith(HttpRoute.PREFIX);
  }

  private void add(HttpRoute route) {
    String path = route.path();
    if (route.upload() && paths.path(path).has(method(route.method()))) {
      upload((ObjectNode) paths.path(path).path(method(route.method())));
      return;
    }
    ObjectNode operation = operation(path, route.method());
    operation.put("summary", route.summary());
    access(operation, CallerPolicy.of(route.method() + " " + route.path(), route.callers()));
    ArrayNode parameters = operation.putArray("parameters");
    Matcher names = PARAMETER.matcher(path);
    while (names.find()) {
      pathParameter(parameters, names.group(1));
    }
    ObjectNode answer = operation.putObject("responses").putObject("200").put("description", "OK");
    if (route.eventStream()) {
      eventStream(parameters, answer);
    }
    if (route.upload()) {
      upload(operation);
    }
    failures(operation);
  }

  private ObjectNode operation(String path, HttpMethod method) {
    ObjectNode at = paths.withObjectProperty(path);
    return at.putObject(method(method));
  }

  private static String method(HttpMethod method) {
    return method.name().toLowerCase(Locale.ROOT);
  }

  /// One file of a form; where an RPC has the same address it is an alternative kind of body.
  private static void upload(ObjectNode operation) {
    ObjectNode form =
        operation
            .withObjectProperty("requestBody")
            .withObjectProperty("content")
            .putObject("multipart/form-data")
            .putObject("schema")
            .put("type", "object");
    form.putArray("required").add("file");
    form.putObject("properties").putObject("file").put("type", "string").put("format", "binary");
  }

  private static void access(ObjectNode operation, CallerPolicy callers) {
    operation.put(
        "description",
        "Callers: "
            + callers.declared().stream().map(Caller::name).collect(Collectors.joining(", ")));
    ArrayNode security = operation.putArray("security");
    security.addObject().putArray(TOKEN);
    if (!callers.needsToken()) {
      security.addObject();
    }
  }

  private static void pathParameter(ArrayNode parameters, String name) {
    parameters
        .addObject()
        .put("name", name)
        .put("in", "path")
        .put("required", true)
        .putObject("schema")
        .put("type", "string");
  }

  /// A nested message is given field by field: `price.amount`.
  private void queryParameters(ArrayNode parameters, String prefix, FieldDescriptor field) {
    ObjectNode schema = schemas.ofField(field);
    if (schema.has("$ref") && !field.isRepeated()) {
      field
          .getMessageType()
          .getFields()
          .forEach(inner -> queryParameters(parameters, prefix + field.getJsonName() + ".", inner));
      return;
    }
    ObjectNode parameter = parameters.addObject();
    parameter.put("name", prefix + field.getJsonName()).put("in", "query");
    if (schema.has("description")) {
      parameter.set("description", schema.remove("description"));
    }
    parameter.set("schema", schema);
  }

  private static void eventStream(ArrayNode parameters, ObjectNode answer) {
    header(parameters, "Last-Event-ID", "The last event seen: the stream continues after it");
    answer
        .putObject("content")
        .putObject("text/event-stream")
        .putObject("schema")
        .put("type", "string");
  }

  private static void idempotencyKey(ArrayNode parameters) {
    header(
        parameters,
        "Idempotency-Key",
        "The same key and body again: the same response, one effect");
  }

  private static void header(ArrayNode parameters, String name, String description) {
    parameters
        .addObject()
        .put("name", name)
        .put("in", "header")
        .put("description", description)
        .putObject("schema")
        .put("type", "string");
  }

  private void body(ObjectNode operation, HttpRuleBinding method) {
    if (method.body().isEmpty()) {
      return;
    }
    var input = method.descriptor().getInputType();
    ObjectNode schema =
        !method.body().equals("*")
            ? schemas.ofField(input.findFieldByName(method.body()))
            : method.path().fields().isEmpty()
                ? schemas.reference(input)
                : schemas.object(input, method.path().fields());
    ObjectNode body = operation.putObject("requestBody");
    body.putObject("content").putObject("application/json").set("schema", schema);
  }

  private static void failures(ObjectNode operation) {
    operation
        .withObjectProperty("responses")
        .putObject("default")
        .put("$ref", "#/components/responses/" + PROBLEM);
  }

  private static ObjectNode content(String description, ObjectNode schema) {
    ObjectNode response = JSON.objectNode().put("description", description);
    response.putObject("content").putObject("application/json").set("schema", schema);
    return response;
  }

  private static String operationId(HttpRuleBinding method) {
    String name = method.descriptor().getService().getName() + "_" + method.descriptor().getName();
    return method.number() == 0 ? name : name + "_" + method.number();
  }

  private static String path(PathTemplate template, HttpRuleBinding method) {
    return PARAMETER
        .matcher(template.text())
        .replaceAll(found -> "{" + jsonName(method, found.group(1)) + "}");
  }

  private static String jsonName(HttpRuleBinding method, String field) {
    return method.descriptor().getInputType().findFieldByName(field).getJsonName();
  }

  private static ObjectNode problem() {
    ObjectNode schema = JSON.objectNode().put("type", "object");
    ObjectNode properties = schema.putObject("properties");
    for (String name : List.of("type", "title", "code", "detail", "requestId")) {
      properties.putObject(name).put("type", "string");
    }
    properties.putObject("status").put("type", "integer");
    ObjectNode violation = properties.putObject("violations").put("type", "array");
    ObjectNode item = violation.putObject("items").put("type", "object");
    item.putObject("properties").putObject("field").put("type", "string");
    item.withObjectProperty("properties").putObject("message").put("type", "string");
    return schema;
  }
}
