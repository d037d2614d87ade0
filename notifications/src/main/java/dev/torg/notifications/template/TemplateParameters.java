package dev.torg.notifications.template;

import com.google.protobuf.Value;
import dev.torg.notifications.content.TextRule;
import dev.torg.platform.Failure.Violation;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The values of parameters: texts, and booleans for sections. In texts they are as given, in links percent-encoded.
final class TemplateParameters {
  private static final TextRule TEXT = new TextRule(4_000, true);

  private final Map<String, Object> ofTexts = new HashMap<>();
  private final Map<String, Object> ofLinks = new HashMap<>();

  private TemplateParameters() {}

  /// @param params that have no violations
  static TemplateParameters of(Map<String, Value> params) {
    TemplateParameters parameters = new TemplateParameters();
    params.forEach(parameters::add);
    return parameters;
  }

  private void add(String name, Value value) {
    if (value.hasBoolValue()) {
      ofTexts.put(name, value.getBoolValue());
      ofLinks.put(name, value.getBoolValue());
    } else {
      String text = value.hasNumberValue() ? number(value) : value.getStringValue();
      ofTexts.put(name, text);
      ofLinks.put(name, LinkTemplate.encode(text));
    }
  }

  private static String number(Value value) {
    BigDecimal number = BigDecimal.valueOf(value.getNumberValue());
    return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
  }

  Map<String, Object> ofTexts() {
    return ofTexts;
  }

  Map<String, Object> ofLinks() {
    return ofLinks;
  }

  /// @param field the path of the parameters in the request
  static List<Violation> violations(String field, Set<String> declared, Map<String, Value> params) {
    List<Violation> violations = new ArrayList<>();
    declared.stream()
        .filter(name -> !params.containsKey(name))
        .sorted()
        .forEach(name -> violations.add(new Violation(field + "." + name, "is missing")));
    params.forEach(
        (name, value) ->
            problem(declared, name, value)
                .ifPresent(problem -> violations.add(new Violation(field + "." + name, problem))));
    return violations;
  }

  private static Optional<String> problem(Set<String> declared, String name, Value value) {
    if (!declared.contains(name)) {
      return Optional.of("is not a parameter of the template");
    }
    return switch (value.getKindCase()) {
      case STRING_VALUE -> TEXT.problem(value.getStringValue());
      case BOOL_VALUE -> Optional.empty();
      case NUMBER_VALUE ->
          Double.isFinite(value.getNumberValue())
              ? Optional.empty()
              : Optional.of("must be a finite number");
      case NULL_VALUE, LIST_VALUE, STRUCT_VALUE, KIND_NOT_SET ->
          Optional.of("must be a text, a number or a boolean");
    };
  }
}
