package dev.torg.server.openapi;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.DescriptorProtos.MethodOptions;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.linecorp.armeria.common.HttpMethod;
import dev.torg.api.v1.CallersProto;
import dev.torg.api.v1.DocumentationProto;
import dev.torg.server.access.CallerPolicy;
import dev.torg.server.json.HttpRuleBinding;
import dev.torg.server.json.PathTemplate;
import dev.torg.server.route.HttpRoute;
import dev.torg.server.route.RouteDoc;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The OpenAPI 3 document of everything that is served over HTTP, written for users of generated
/// clients: operation ids and tags become their methods and classes, comments of the .proto files
/// their documentation.
public final class OpenApi {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final Pattern PARAMETER = Pattern.compile("\\{(\\w+)}");
  private static final String APPLICATION_JSON = "application/json";

  private final Comments comments = Comments.load();
  private final Schemas schemas = new Schemas(comments);
  private final OperationIds ids;
  private final Map<String, String> tags = new TreeMap<>();
  private final ErrorResponses errors = new ErrorResponses();
  private final Set<String> common = new TreeSet<>();
  private final ObjectNode paths = JSON.objectNode();

  /// @param probes routes without access control and limits
  public OpenApi(List<HttpRuleBinding> methods, List<HttpRoute> routes, List<HttpRoute> probes) {
    ids = new OperationIds(methods.stream().map(HttpRuleBinding::descriptor).toList());
    methods.forEach(this::add);
    routes.stream().filter(OpenApi::isOneAddress).forEach(route -> add(route, false));
    probes.forEach(route -> add(route, true));
  }

  public String json() {
    return OpenApiRoot.json(errors.meanings(common), tags, paths, schemas.named()).toString();
  }

  private void add(HttpRuleBinding method) {
    var descriptor = method.descriptor();
    String comment = comments.of(descriptor.getFullName());
    CallerPolicy callers = CallerPolicy.of(descriptor);
    ObjectNode operation = operation(path(method.path(), method), method.httpMethod());
    operation.putArray("tags").add(tag(descriptor.getService()));
    operation.put("operationId", ids.of(descriptor, method.number()));
    operation.put("summary", comment.isEmpty() ? descriptor.getName() : DocTexts.summary(comment));
    operation.put(
        "description",
        DocTexts.paragraphs(DocTexts.description(comment), DocTexts.access(callers)));
    OpenApiRoot.security(operation, callers);
    ArrayNode parameters = operation.putArray("parameters");
    method.path().fields().forEach(name -> pathParameter(parameters, field(method, name)));
    method.queryFields().forEach(field -> queryParameters(parameters, "", field));
    if (descriptor.getOptions().getExtension(CallersProto.creates)) {
      idempotencyKey(parameters);
    }
    body(operation, method);
    response(operation).set("content", json(schemas.reference(descriptor.getOutputType())));
    MethodOptions options = descriptor.getOptions();
    List<String> common =
        new ArrayList<>(
            CommonErrors.ofRpc(
                callers, method.httpMethod(), options.getExtension(CallersProto.creates)));
    common.addAll(
        descriptor
            .getService()
            .getOptions()
            .getExtension(DocumentationProto.serviceErrors)
            .getCodesList());
    errors(operation, options.getExtension(DocumentationProto.errors).getCodesList(), common);
  }

  private void errors(ObjectNode operation, List<String> own, List<String> shared) {
    errors.addTo(operation, own, shared);
    common.addAll(shared);
  }

  private String tag(ServiceDescriptor service) {
    String declared = service.getOptions().getExtension(DocumentationProto.tag);
    String tag = declared.isEmpty() ? service.getName() : declared;
    tags.merge(tag, comments.of(service.getFullName()), DocTexts::paragraphs);
    return tag;
  }

  /// Addresses below a prefix are pages, not API calls.
  private static boolean isOneAddress(HttpRoute route) {
    return !route.path().startsWith(HttpRoute.PREFIX);
  }

  private void add(HttpRoute route, boolean probe) {
    String path = route.path();
    if (route.upload() && paths.path(path).has(method(route.method()))) {
      ObjectNode operation = (ObjectNode) paths.path(path).path(method(route.method()));
      upload(operation);
      errors.addMore(operation, route.doc().errors());
      return;
    }
    RouteDoc doc = route.doc();
    CallerPolicy callers = CallerPolicy.of(route.method() + " " + path, route.callers());
    ObjectNode operation = operation(path, route.method());
    operation.putArray("tags").add(doc.tag());
    tags.putIfAbsent(doc.tag(), "");
    operation.put("operationId", ids.unique(doc.operationId()));
    operation.put("summary", doc.summary());
    operation.put("description", DocTexts.paragraphs(doc.description(), DocTexts.access(callers)));
    OpenApiRoot.security(operation, callers);
    ArrayNode parameters = operation.putArray("parameters");
    Matcher names = PARAMETER.matcher(path);
    while (names.find()) {
      pathParameter(parameters, names.group(1));
    }
    doc.parameters().forEach(parameter -> parameter(parameters, parameter));
    doc.request()
        .ifPresent(
            content ->
                operation
                    .putObject("requestBody")
                    .put("required", true)
                    .set("content", content(content)));
    ObjectNode response = response(operation);
    doc.response().ifPresent(content -> response.set("content", content(content)));
    if (route.upload()) {
      upload(operation);
    }
    List<String> shared = probe ? List.of() : CommonErrors.ofRoute(callers, route.method());
    errors(operation, doc.errors(), shared);
  }

  private ObjectNode operation(String path, HttpMethod method) {
    return paths.withObjectProperty(path).putObject(method(method));
  }

  private static String method(HttpMethod method) {
    return method.name().toLowerCase(Locale.ROOT);
  }

  /// One file of a form. Next to an RPC with the same address it is an alternative kind of body.
  private static void upload(ObjectNode operation) {
    operation
        .withObjectProperty("requestBody")
        .put("required", true)
        .withObjectProperty("content")
        .putObject("multipart/form-data")
        .set("schema", OpenApiRoot.fileUpload());
  }

  private void pathParameter(ArrayNode parameters, FieldDescriptor field) {
    ObjectNode parameter = pathParameter(parameters, field.getJsonName());
    String comment = comments.of(field.getFullName());
    if (!comment.isEmpty()) {
      parameter.put("description", comment);
    }
  }

  private static ObjectNode pathParameter(ArrayNode parameters, String name) {
    ObjectNode parameter =
        parameters.addObject().put("name", name).put("in", "path").put("required", true);
    parameter.putObject("schema").put("type", "string");
    return parameter;
  }

  /// A nested message is given field by field: `price.amount`.
  private void queryParameters(ArrayNode parameters, String prefix, FieldDescriptor field) {
    ObjectNode schema = schemas.ofField(field);
    boolean nested = schema.has("$ref") || schema.has("allOf");
    if (nested && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
      field
          .getMessageType()
          .getFields()
          .forEach(inner -> queryParameters(parameters, prefix + field.getJsonName() + ".", inner));
      return;
    }
    ObjectNode parameter = parameters.addObject();
    parameter.put("name", prefix + field.getJsonName()).put("in", "query");
    if (Schemas.isRequired(field)) {
      parameter.put("required", true);
    }
    if (schema.has("description")) {
      parameter.set("description", schema.remove("description"));
    }
    parameter.set("schema", schema.has("allOf") ? schema.at("/allOf/0") : schema);
  }

  private static void parameter(ArrayNode parameters, RouteDoc.Parameter described) {
    ObjectNode parameter =
        parameters
            .addObject()
            .put("name", described.name())
            .put("in", described.in())
            .put("required", described.required())
            .put("description", described.text());
    ObjectNode schema = parameter.putObject("schema").put("type", described.type());
    if (!described.values().isEmpty()) {
      described.values().forEach(schema.putArray("enum")::add);
    }
  }

  private static void idempotencyKey(ArrayNode parameters) {
    parameter(
        parameters,
        new RouteDoc.Parameter(
            "Idempotency-Key",
            "header",
            "string",
            false,
            List.of(),
            "A request that is repeated with the same key and body has one effect and the same"
                + " response."));
  }

  /// A request whose fields are all in the path has no body.
  private void body(ObjectNode operation, HttpRuleBinding method) {
    List<FieldDescriptor> fields = bodyFields(method);
    if (fields.isEmpty()) {
      return;
    }
    var input = method.descriptor().getInputType();
    ObjectNode schema =
        method.body().equals("*")
            ? schemas.body(input, method.path().fields())
            : schemas.ofField(fields.getFirst());
    ObjectNode body = operation.putObject("requestBody");
    body.put("required", isBodyRequired(method.descriptor(), fields));
    body.set("content", json(schema));
  }

  private static List<FieldDescriptor> bodyFields(HttpRuleBinding method) {
    var fields = method.descriptor().getInputType().getFields().stream();
    return switch (method.body()) {
      case "" -> List.of();
      case "*" ->
          fields.filter(field -> !method.path().fields().contains(field.getName())).toList();
      default -> fields.filter(field -> field.getName().equals(method.body())).toList();
    };
  }

  private static boolean isBodyRequired(MethodDescriptor method, List<FieldDescriptor> fields) {
    return method.getOptions().getExtension(DocumentationProto.bodyRequired)
        || fields.stream().anyMatch(Schemas::isRequired);
  }

  private ObjectNode content(RouteDoc.Content content) {
    if (content.message().isPresent()) {
      return json(schemas.reference(content.message().get()));
    }
    ObjectNode types = JSON.objectNode();
    ObjectNode schema = types.putObject(content.mediaType()).putObject("schema");
    switch (content.mediaType()) {
      case APPLICATION_JSON -> schema.put("type", "object");
      case "text/plain", "text/event-stream" -> schema.put("type", "string");
      default -> schema.put("type", "string").put("format", "binary");
    }
    return types;
  }

  private static ObjectNode response(ObjectNode operation) {
    return operation.putObject("responses").putObject("200").put("description", "Success");
  }

  private static ObjectNode json(ObjectNode schema) {
    ObjectNode types = JSON.objectNode();
    types.putObject(APPLICATION_JSON).set("schema", schema);
    return types;
  }

  private static String path(PathTemplate template, HttpRuleBinding method) {
    return PARAMETER
        .matcher(template.text())
        .replaceAll(match -> "{" + field(method, match.group(1)).getJsonName() + "}");
  }

  private static FieldDescriptor field(HttpRuleBinding method, String name) {
    return method.descriptor().getInputType().findFieldByName(name);
  }
}
