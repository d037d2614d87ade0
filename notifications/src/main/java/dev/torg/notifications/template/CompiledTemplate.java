package dev.torg.notifications.template;

import com.google.protobuf.Value;
import dev.torg.api.v1.NotificationContent;
import dev.torg.api.v1.NotificationTemplate;
import dev.torg.notifications.content.ContentStrings;
import dev.torg.notifications.content.ContentValidator;
import dev.torg.notifications.template.TemplateEngine.CompiledText;
import dev.torg.notifications.template.TemplateEngine.TemplateException;
import dev.torg.platform.Failure.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A version of a template, ready to be rendered.
public final class CompiledTemplate {
  private static final String ENGLISH = "en";

  private final NotificationTemplate template;
  private final SortedMap<String, NotificationContent> languages;
  private final Set<String> declared;
  private final Map<String, CompiledText> texts;

  /// @param language the one of the content, which may be another than requested
  public record Rendered(String language, NotificationContent content) {}

  private CompiledTemplate(NotificationTemplate template, Map<String, CompiledText> texts) {
    this.template = template;
    this.languages = new TreeMap<>(template.getLanguagesMap());
    this.declared = Set.copyOf(new TreeSet<>(template.getParamsList()));
    this.texts = texts;
  }

  /// Compiles a stored template, which was validated before.
  static CompiledTemplate of(NotificationTemplate template) {
    Map<String, CompiledText> texts = new HashMap<>();
    template
        .getLanguagesMap()
        .values()
        .forEach(content -> visit(content, text -> texts.computeIfAbsent(text, compiling())));
    return new CompiledTemplate(template, texts);
  }

  private static Function<String, CompiledText> compiling() {
    return text -> {
      try {
        return TemplateEngine.compile(text);
      } catch (TemplateException e) {
        throw new IllegalStateException("a stored template is invalid", e);
      }
    };
  }

  private static void visit(NotificationContent content, Function<String, CompiledText> visitor) {
    var _ =
        new ContentStrings(text -> visited(text, visitor), link -> visited(link, visitor))
            .replace(content);
  }

  private static String visited(String text, Function<String, CompiledText> visitor) {
    return visitor.apply(text) == null ? "" : text;
  }

  public NotificationTemplate template() {
    return template;
  }

  public int version() {
    return template.getVersion();
  }

  /// What is wrong with these parameters, or with the content that they give in any language.
  ///
  /// @param field the path of the parameters in the request
  public List<Violation> violations(String field, Map<String, Value> params) {
    List<Violation> violations =
        new ArrayList<>(TemplateParameters.violations(field, declared, params));
    if (violations.isEmpty()) {
      TemplateParameters values = TemplateParameters.of(params);
      languages.forEach(
          (language, content) -> violations.addAll(violations(field, language, content, values)));
    }
    return violations;
  }

  private List<Violation> violations(
      String field, String language, NotificationContent content, TemplateParameters values) {
    try {
      return ContentValidator.violations(language, render(content, values)).stream()
          .map(
              wrong -> new Violation(field, "with these, " + wrong.field() + " " + wrong.message()))
          .toList();
    } catch (TemplateException e) {
      return List.of(new Violation(field, "with these, a text in " + language + " " + e.problem()));
    }
  }

  /// Renders the content in the language, else in English, else in the first language of the alphabet.
  ///
  /// @param params that have no violations
  public Rendered render(String language, Map<String, Value> params) {
    String found = language(language);
    try {
      NotificationContent content = Objects.requireNonNull(languages.get(found));
      return new Rendered(found, render(content, TemplateParameters.of(params)));
    } catch (TemplateException e) {
      throw new IllegalStateException(
          "template " + template.getId() + " version " + version() + ": " + e.problem(), e);
    }
  }

  private String language(String requested) {
    String withoutRegion = requested.split("-", 2)[0];
    return Stream.of(requested, withoutRegion, ENGLISH)
        .filter(languages::containsKey)
        .findFirst()
        .orElseGet(languages::firstKey);
  }

  private NotificationContent render(NotificationContent content, TemplateParameters values)
      throws TemplateException {
    Rendering rendering = new Rendering(values);
    NotificationContent rendered =
        new ContentStrings(rendering::text, rendering::link).replace(content);
    if (rendering.failure != null) {
      throw rendering.failure;
    }
    return rendered;
  }

  /// Records the first failure, since the functions of [ContentStrings] throw nothing.
  private final class Rendering {
    private final TemplateParameters values;
    private @Nullable TemplateException failure;

    Rendering(TemplateParameters values) {
      this.values = values;
    }

    String text(String source) {
      return render(source, values.ofTexts());
    }

    String link(String source) {
      String link = render(source, values.ofLinks());
      if (!link.equals(source) && LinkTemplate.hasDotSegment(link)) {
        failed(new TemplateException("has a link whose path leads upward"));
      }
      return link;
    }

    private String render(String source, Map<String, Object> params) {
      try {
        return Objects.requireNonNull(texts.get(source)).render(params);
      } catch (TemplateException e) {
        failed(e);
        return "";
      }
    }

    private void failed(TemplateException e) {
      failure = failure == null ? e : failure;
    }
  }
}
