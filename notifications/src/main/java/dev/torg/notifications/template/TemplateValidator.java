package dev.torg.notifications.template;

import dev.torg.api.v1.Attachment;
import dev.torg.api.v1.NotificationContent;
import dev.torg.api.v1.NotificationTemplate;
import dev.torg.notifications.content.ContentStrings;
import dev.torg.notifications.content.ContentValidator;
import dev.torg.notifications.template.TemplateEngine.TemplateException;
import dev.torg.platform.Failure;
import dev.torg.platform.Failure.Violation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Validates a template and reports all violations at once. What depends on the values of parameters is validated
/// when a notification is sent.
final class TemplateValidator {
  /// Serialized size: all languages are kept in memory by processes that send.
  private static final int MAX_BYTES = 128 << 10;

  private static final int MAX_LANGUAGES = 30;
  private static final int MAX_PARAMETERS = 100;

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
  private static final Pattern LANGUAGE = Pattern.compile("[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}");
  private static final Pattern PARAMETER = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,63}");

  /// The engine's own name for the whole context.
  private static final String RESERVED = "this";

  private final List<Violation> violations = new ArrayList<>();

  private TemplateValidator() {}

  static void check(NotificationTemplate template) {
    TemplateValidator validator = new TemplateValidator();
    validator.template(template);
    if (!validator.violations.isEmpty()) {
      throw Failure.invalid("template.invalid", "invalid template", validator.violations);
    }
  }

  private void template(NotificationTemplate template) {
    if (!ID.matcher(template.getId()).matches()) {
      add("id", "must have up to 100 letters, digits or . _ -");
    }
    if (template.getSerializedSize() > MAX_BYTES) {
      add("languages", "must have at most " + MAX_BYTES + " bytes");
      return;
    }
    params(template.getParamsList());
    languages(template, Set.copyOf(new HashSet<>(template.getParamsList())));
  }

  private void params(List<String> params) {
    if (params.size() > MAX_PARAMETERS) {
      add("params", "must have at most " + MAX_PARAMETERS + " items");
    }
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < params.size(); i++) {
      String name = params.get(i);
      if (!PARAMETER.matcher(name).matches() || name.equals(RESERVED)) {
        add("params[" + i + "]", "must begin with a letter and have letters, digits or _");
      } else if (!seen.add(name)) {
        add("params[" + i + "]", "is given twice");
      }
    }
  }

  private void languages(NotificationTemplate template, Set<String> declared) {
    int languages = template.getLanguagesCount();
    if (languages == 0 || languages > MAX_LANGUAGES) {
      add("languages", "must have 1 to " + MAX_LANGUAGES + " entries");
      return;
    }
    new TreeMap<>(template.getLanguagesMap())
        .forEach(
            (language, content) -> {
              String field = "languages." + language;
              if (!LANGUAGE.matcher(language).matches()) {
                add(field, "must be a language like en");
              }
              content(field, content, declared);
            });
  }

  private void content(String field, NotificationContent content, Set<String> declared) {
    if (content.getTitle().isBlank()) {
      add(field + ".title", "is missing");
    }
    for (int i = 0; i < content.getAttachmentsCount(); i++) {
      kind(field + ".attachments[" + i + "].kind", content.getAttachments(i).getKind());
    }
    Sources sources = new Sources(field, declared);
    var _ = new ContentStrings(sources::text, sources::link).replace(content);
    literal(field, content);
  }

  private void kind(String field, Attachment.Kind kind) {
    if (kind == Attachment.Kind.KIND_UNSPECIFIED || kind == Attachment.Kind.UNRECOGNIZED) {
      add(field, "must be one of IMAGE, VIDEO, FILE");
    }
  }

  /// Content without parameters in any text or link follows the rules of contents already now.
  private void literal(String field, NotificationContent content) {
    boolean[] hasTags = new boolean[1];
    var _ =
        new ContentStrings(text -> tags(text, hasTags), link -> tags(link, hasTags))
            .replace(content);
    if (!hasTags[0]) {
      violations.addAll(ContentValidator.violations(field, content));
    }
  }

  private static String tags(String text, boolean[] hasTags) {
    hasTags[0] |= text.contains("{{");
    return text;
  }

  private void add(String field, String message) {
    violations.add(new Violation(field, message));
  }

  /// Compiles each text, and compares the parameters that it uses with the declared ones.
  private final class Sources {
    private final String field;
    private final Set<String> declared;

    Sources(String field, Set<String> declared) {
      this.field = field;
      this.declared = declared;
    }

    String text(String source) {
      try {
        TemplateEngine.compile(source).names().stream()
            .filter(name -> !declared.contains(name))
            .sorted()
            .forEach(name -> add(field, "uses " + name + ", which is not in params"));
      } catch (TemplateException e) {
        add(field, e.problem());
      }
      return source;
    }

    String link(String source) {
      LinkTemplate.problem(source).ifPresent(problem -> add(field, "a link " + problem));
      return text(source);
    }
  }
}
