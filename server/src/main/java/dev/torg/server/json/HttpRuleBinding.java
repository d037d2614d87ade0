package dev.torg.server.json;

import com.google.api.HttpRule;
import com.google.protobuf.Descriptors;
import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.torg.server.bounds.RequestBounds;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.ServerMethodDefinition;
import java.util.List;

/// One `google.api.http` rule of one RPC.
public final class HttpRuleBinding {
  private final ServerMethodDefinition<?, ?> method;
  private final Descriptors.MethodDescriptor descriptor;
  private final int number;
  private final HttpMethod httpMethod;
  private final PathTemplate path;
  private final String body;
  private final RequestReader requestReader;
  private final JsonResponses responses;

  HttpRuleBinding(
      ServerMethodDefinition<?, ?> method,
      Descriptors.MethodDescriptor descriptor,
      HttpRule rule,
      int number,
      JsonResponses responses) {
    this.number = number;
    this.responses = responses;
    this.method = method;
    this.descriptor = descriptor;
    this.httpMethod = httpMethod(descriptor, rule);
    this.path = PathTemplate.parse(pattern(rule));
    this.body = rule.getBody();
    this.requestReader =
        new RequestReader(
            prototype(method), RequestBounds.of(descriptor).message(), path.fields(), body);
  }

  /// The call is authorized first; address, query and body are read only of an admitted call.
  HttpResponse serve(ServiceRequestContext ctx, HttpRequest request, String[] segments) {
    return new JsonCall<>(method, ctx, responses)
        .run(
            request,
            whole ->
                requestReader.read(
                    whole.content().array(), ctx.queryParams(), path.values(segments)));
  }

  public Descriptors.MethodDescriptor descriptor() {
    return descriptor;
  }

  /// 0 for the method's first rule, then counting its additional bindings.
  public int number() {
    return number;
  }

  public HttpMethod httpMethod() {
    return httpMethod;
  }

  public PathTemplate path() {
    return path;
  }

  /// The rule's `body`: `*`, a field, or empty.
  public String body() {
    return body;
  }

  public List<Descriptors.FieldDescriptor> queryFields() {
    return descriptor.getInputType().getFields().stream()
        .filter(field -> RequestReader.isFromQuery(field, path.fields(), body))
        .toList();
  }

  private static Message prototype(ServerMethodDefinition<?, ?> method) {
    if (method.getMethodDescriptor().getRequestMarshaller()
            instanceof PrototypeMarshaller<?> marshaller
        && marshaller.getMessagePrototype() instanceof Message message) {
      return message;
    }
    throw new IllegalStateException(
        method.getMethodDescriptor().getFullMethodName() + " is no protobuf method");
  }

  private static String pattern(HttpRule rule) {
    return switch (rule.getPatternCase()) {
      case GET -> rule.getGet();
      case PUT -> rule.getPut();
      case POST -> rule.getPost();
      case DELETE -> rule.getDelete();
      case PATCH -> rule.getPatch();
      case CUSTOM, PATTERN_NOT_SET -> "";
    };
  }

  private static HttpMethod httpMethod(Descriptors.MethodDescriptor method, HttpRule rule) {
    return switch (rule.getPatternCase()) {
      case GET -> HttpMethod.GET;
      case PUT -> HttpMethod.PUT;
      case POST -> HttpMethod.POST;
      case DELETE -> HttpMethod.DELETE;
      case PATCH -> HttpMethod.PATCH;
      case CUSTOM, PATTERN_NOT_SET ->
          throw new IllegalStateException(method.getFullName() + " has a rule without a path");
    };
  }
}
