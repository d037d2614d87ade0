package dev.torg.server.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/// Checks that every error which a test provokes is listed at its operation in the OpenAPI document.
final class DocumentedErrors {
  /// Of addresses and methods that no operation has.
  private static final Set<String> OF_NO_OPERATION =
      Set.of("http.no-such-route", "http.method-not-allowed");

  private static final Pattern PARAMETER = Pattern.compile("\\{\\w+}");

  private record Path(Pattern pattern, JsonNode operations) {}

  private final List<Path> paths;

  /// Paths with more literal segments are compared first: `/v1/offers/{id}:remove` before
  /// `/v1/offers/{id}`.
  DocumentedErrors(JsonNode document) {
    paths =
        document
            .path("paths")
            .propertyStream()
            .sorted(Comparator.comparingInt(path -> -literal(path.getKey())))
            .map(path -> new Path(pattern(path.getKey()), path.getValue()))
            .toList();
  }

  private static int literal(String template) {
    return PARAMETER.matcher(template).replaceAll("").length();
  }

  private static Pattern pattern(String template) {
    return Pattern.compile(
        "\\Q" + PARAMETER.matcher(template).replaceAll("\\\\E[^/]+\\\\Q") + "\\E");
  }

  void check(String method, String path, int status, JsonNode problem) {
    String code = problem.path("code").asText();
    if (status < 400 || OF_NO_OPERATION.contains(code)) {
      return;
    }
    JsonNode operation = operation(method.toLowerCase(Locale.ROOT), path);
    List<String> listed =
        StreamSupport.stream(
                operation.at("/responses/" + status + "/x-error-codes").spliterator(), false)
            .map(JsonNode::asText)
            .toList();
    assertThat(listed).as("errors %d of %s %s", status, method, path).contains(code);
  }

  private JsonNode operation(String method, String path) {
    return paths.stream()
        .filter(candidate -> candidate.operations().has(method))
        .filter(candidate -> candidate.pattern().matcher(path).matches())
        .map(candidate -> candidate.operations().path(method))
        .findFirst()
        .orElseThrow(() -> new AssertionError(method + " " + path + " is not documented"));
  }
}
