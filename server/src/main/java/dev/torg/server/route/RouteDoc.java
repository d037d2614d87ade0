package dev.torg.server.route;

import com.google.protobuf.Descriptors.Descriptor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// What the OpenAPI document states about a plain HTTP service: the counterpart of an RPC's comments and options.
///
/// `summary` is one sentence without its full stop. `errors` are the codes that are particular to the operation; those
/// that any operation can return are added by the document.
public record RouteDoc(
    String operationId,
    String tag,
    String summary,
    String description,
    List<Parameter> parameters,
    Optional<Content> request,
    Optional<Content> response,
    List<String> errors) {

  /// A body: a message as JSON, or bytes of a media type.
  public record Content(String mediaType, Optional<Descriptor> message) {}

  /// A query parameter or header. No `values`: any text.
  public record Parameter(
      String name, String in, String type, boolean required, List<String> values, String text) {}

  public RouteDoc {
    parameters = List.copyOf(parameters);
    errors = List.copyOf(errors);
  }

  public static RouteDoc of(String operationId, String tag, String summary) {
    return new RouteDoc(
        operationId, tag, summary, "", List.of(), Optional.empty(), Optional.empty(), List.of());
  }

  public RouteDoc describedAs(String text) {
    return new RouteDoc(operationId, tag, summary, text, parameters, request, response, errors);
  }

  public RouteDoc withQuery(String name, String type, boolean required, String text) {
    return with(new Parameter(name, "query", type, required, List.of(), text));
  }

  public RouteDoc withQueryEnum(String name, boolean required, List<String> values, String text) {
    return with(new Parameter(name, "query", "string", required, List.copyOf(values), text));
  }

  public RouteDoc withHeader(String name, String text) {
    return with(new Parameter(name, "header", "string", false, List.of(), text));
  }

  private RouteDoc with(Parameter parameter) {
    List<Parameter> more = new ArrayList<>(parameters);
    more.add(parameter);
    return new RouteDoc(operationId, tag, summary, description, more, request, response, errors);
  }

  public RouteDoc accepting(String mediaType) {
    Optional<Content> content = Optional.of(new Content(mediaType, Optional.empty()));
    return new RouteDoc(
        operationId, tag, summary, description, parameters, content, response, errors);
  }

  public RouteDoc returning(String mediaType) {
    return returning(new Content(mediaType, Optional.empty()));
  }

  public RouteDoc returning(Descriptor message) {
    return returning(new Content("application/json", Optional.of(message)));
  }

  private RouteDoc returning(Content content) {
    return new RouteDoc(
        operationId, tag, summary, description, parameters, request, Optional.of(content), errors);
  }

  public RouteDoc failingWith(String... codes) {
    return new RouteDoc(
        operationId,
        tag,
        summary,
        description,
        parameters,
        request,
        response,
        Arrays.asList(codes));
  }
}
