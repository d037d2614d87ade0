package dev.torg.server.openapi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Lists the errors of an operation as its responses: by HTTP status, the codes of the operation with their meaning and the
/// common ones by name. `x-error-codes` has all of them for programs.
final class ErrorResponses {
  static final String CODES = "x-error-codes";

  private final ErrorCatalog catalog = ErrorCatalog.load();

  /// @param own errors of the operation
  /// @param common errors that other operations have as well
  void addTo(ObjectNode operation, Collection<String> own, Collection<String> common) {
    Map<Integer, Set<String>> ownByStatus = byStatus(own);
    Map<Integer, Set<String>> commonByStatus = byStatus(common);
    ObjectNode responses = operation.withObjectProperty("responses");
    Set<Integer> statuses = new LinkedHashSet<>(ownByStatus.keySet());
    statuses.addAll(commonByStatus.keySet());
    statuses.stream()
        .sorted()
        .forEach(
            status -> {
              Set<String> first = ownByStatus.getOrDefault(status, Set.of());
              Set<String> others =
                  new LinkedHashSet<>(commonByStatus.getOrDefault(status, Set.of()));
              others.removeAll(first);
              responses.set(status.toString(), response(first, others));
            });
    responses.set("default", OpenApiRoot.problemResponse("An error that is not listed"));
  }

  /// Adds errors of a second kind of body.
  void addMore(ObjectNode operation, Collection<String> own) {
    ObjectNode responses = operation.withObjectProperty("responses");
    byStatus(own)
        .forEach(
            (status, codes) -> {
              ObjectNode response = responses.withObjectProperty(status.toString());
              Set<String> known = new LinkedHashSet<>();
              response.path(CODES).forEach(code -> known.add(code.asText()));
              codes.removeAll(known);
              String before = response.path("description").asText();
              response.put("description", DocTexts.paragraphs(meanings(codes), before));
              codes.forEach(response.withArrayProperty(CODES)::add);
            });
  }

  /// What the codes mean, a line each.
  String meanings(Collection<String> codes) {
    return codes.stream()
        .map(code -> "- `" + code + "`: " + catalog.of(code).meaning())
        .collect(Collectors.joining("\n"));
  }

  private ObjectNode response(Set<String> own, Set<String> common) {
    String names = common.stream().map(code -> "`" + code + "`").collect(Collectors.joining(", "));
    String also = names.isEmpty() ? "" : "Common errors: " + names + ".";
    ObjectNode response = OpenApiRoot.problemResponse(DocTexts.paragraphs(meanings(own), also));
    var codes = response.putArray(CODES);
    own.forEach(codes::add);
    common.forEach(codes::add);
    return response;
  }

  private Map<Integer, Set<String>> byStatus(Collection<String> codes) {
    return codes.stream()
        .collect(
            Collectors.groupingBy(
                code -> catalog.of(code).status().code(),
                TreeMap::new,
                Collectors.toCollection(LinkedHashSet::new)));
  }
}
