package dev.torg.notifications.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ListValue;
import com.google.protobuf.Value;
import dev.torg.api.v1.NotificationContent;
import dev.torg.api.v1.NotificationTemplate;
import dev.torg.api.v1.OpenAction;
import dev.torg.platform.Failure;
import dev.torg.platform.Failure.Violation;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateTest {
  private static Value text(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }

  private static Value flag(boolean flag) {
    return Value.newBuilder().setBoolValue(flag).build();
  }

  private static Value number(double number) {
    return Value.newBuilder().setNumberValue(number).build();
  }

  private static NotificationTemplate template(NotificationContent content, String... params) {
    return NotificationTemplate.newBuilder()
        .setId("sold")
        .setVersion(1)
        .putLanguages("en", content)
        .addAllParams(List.of(params))
        .build();
  }

  private static NotificationContent titled(String title) {
    return NotificationContent.newBuilder().setTitle(title).build();
  }

  private static NotificationContent linked(String web) {
    return NotificationContent.newBuilder()
        .setTitle("t")
        .setOpen(OpenAction.newBuilder().setWeb(web))
        .build();
  }

  private static String title(String source, Map<String, Value> params) {
    String[] names = params.keySet().toArray(String[]::new);
    return compiled(template(titled(source), names)).render("en", params).content().getTitle();
  }

  private static CompiledTemplate compiled(NotificationTemplate template) {
    TemplateValidator.check(template);
    return CompiledTemplate.of(template);
  }

  private static List<Violation> put(NotificationTemplate template) {
    Failure failure = catchThrowableOfType(Failure.class, () -> TemplateValidator.check(template));
    assertThat(failure).isNotNull();
    assertThat(failure.code()).isEqualTo("template.invalid");
    return failure.violations();
  }

  @Test
  void render_parameters_areReplaced() {
    assertThat(title("Sold: {{name}}", Map.of("name", text("A car")))).isEqualTo("Sold: A car");
    assertThat(title("{{count}} offers", Map.of("count", number(12)))).isEqualTo("12 offers");
    assertThat(title("{{price}}", Map.of("price", number(0.5)))).isEqualTo("0.5");
    assertThat(title("{{n}}", Map.of("n", number(0)))).isEqualTo("0");
    assertThat(title("{{n}}", Map.of("n", number(1e20)))).isEqualTo("100000000000000000000");
  }

  @Test
  void render_sections_dependOnBooleansAndEmptyTexts() {
    String source = "a{{#x}}b{{/x}}{{^x}}c{{/x}}";
    assertThat(title(source, Map.of("x", flag(true)))).isEqualTo("ab");
    assertThat(title(source, Map.of("x", flag(false)))).isEqualTo("ac");
    assertThat(title(source, Map.of("x", text("")))).isEqualTo("ac");
    assertThat(title("{{#x}}{{x}}, {{y}}{{/x}}", Map.of("x", text("b"), "y", text("c"))))
        .isEqualTo("b, c");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{{other}}",
        "{{#other}}{{/other}}",
        "{{{other}}}",
        "{{=<% %>=}}<%other%>",
        "<script>alert(1)</script>",
        "{{>/etc/passwd}}",
        "{{name.class.name}}",
        "&lt;\"'"
      })
  void render_hostileValue_staysText(String value) {
    assertThat(title("Sold: {{name}}", Map.of("name", text(value)))).isEqualTo("Sold: " + value);
    assertThat(title("Sold: {{{name}}}", Map.of("name", text(value)))).isEqualTo("Sold: " + value);
    assertThat(title("Sold: {{&name}}", Map.of("name", text(value)))).isEqualTo("Sold: " + value);
  }

  @Test
  void violations_hostileValues_areReported() {
    CompiledTemplate template = compiled(template(titled("{{name}}"), "name"));
    for (String hostile :
        List.of("a\u0007", "a\u202Eb", "a\u2066b", "x".repeat(1 << 20), "x".repeat(4001))) {
      assertThat(template.violations("params", Map.of("name", text(hostile))))
          .extracting(Violation::field)
          .containsExactly("params.name");
    }
    assertThat(template.violations("params", Map.of("name", text("a\nb"))))
        .extracting(Violation::field)
        .containsExactly("params");
    assertThat(template.violations("params", Map.of("name", text("x".repeat(201)))))
        .extracting(Violation::field)
        .containsExactly("params");
  }

  @Test
  void violations_outputThatGrowsWithoutBound_isReported() {
    CompiledTemplate template =
        compiled(
            template(
                NotificationContent.newBuilder()
                    .setTitle("t")
                    .setText("{{a}}".repeat(1_000))
                    .build(),
                "a"));
    assertThat(template.violations("params", Map.of("a", text("x".repeat(4_000)))))
        .extracting(Violation::message)
        .containsExactly("with these, a text in en is too long with these parameters");
  }

  @Test
  void violations_missingUndeclaredAndWrongKinds_areReported() {
    CompiledTemplate template = compiled(template(titled("{{a}}{{b}}"), "a", "b"));
    Value list = Value.newBuilder().setListValue(ListValue.getDefaultInstance()).build();
    assertThat(template.violations("params", Map.of("a", list, "c", text("x"))))
        .extracting(Violation::field)
        .containsExactlyInAnyOrder("params.a", "params.b", "params.c");
    assertThat(template.violations("params", Map.of("a", number(Double.NaN), "b", text(""))))
        .extracting(Violation::field)
        .containsExactly("params.a");
  }

  @Test
  void render_language_fallsBackToEnglishAndThenToTheFirst() {
    NotificationTemplate template =
        NotificationTemplate.newBuilder()
            .setId("t")
            .putLanguages("ru", titled("Продано"))
            .putLanguages("en", titled("Sold"))
            .putLanguages("de", titled("Verkauft"))
            .build();
    CompiledTemplate all = compiled(template);
    assertThat(all.render("ru", Map.of()).content().getTitle()).isEqualTo("Продано");
    assertThat(all.render("de-AT", Map.of()).language()).isEqualTo("de");
    assertThat(all.render("fr", Map.of()).language()).isEqualTo("en");
    CompiledTemplate rest = compiled(template.toBuilder().removeLanguages("en").build());
    assertThat(rest.render("fr", Map.of()).language()).isEqualTo("de");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"//evil.example/", "../../admin", "?a=b#c", "a b", "javascript:alert(1)", "\\"})
  void render_valueInLink_isPercentEncoded(String value) {
    CompiledTemplate template =
        compiled(template(linked("https://torg.example/offers/{{{id}}}?q={{&id}}"), "id"));
    Map<String, Value> params = Map.of("id", text(value));
    assertThat(template.violations("params", params)).isEmpty();
    String web = template.render("en", params).content().getOpen().getWeb();
    assertThat(web)
        .matches("https://torg\\.example/offers/[A-Za-z0-9%._~-]+\\?q=[A-Za-z0-9%._~-]+");
  }

  @Test
  void violations_dotSegmentInLink_isReported() {
    CompiledTemplate template =
        compiled(template(linked("https://torg.example/offers/{{id}}/edit"), "id"));
    assertThat(template.violations("params", Map.of("id", text("..")))).hasSize(1);
    assertThat(template.violations("params", Map.of("id", text("1")))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{{a}}",
        "{{a}}://torg.example/",
        "https://{{a}}/",
        "https://torg.example{{a}}",
        "https://torg.example:{{a}}/",
        "torg://{{a}}",
        "https:{{a}}",
        "HTTPS:{{a}}",
        "https:/{{a}}"
      })
  void put_parameterInSchemeOrHost_isInvalid(String link) {
    assertThat(put(template(linked(link), "a"))).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{{a",
        "{{#a}}",
        "{{/a}}",
        "{{#a}}{{/b}}",
        "{{b}}",
        "{{#b}}{{/b}}",
        "{{^b}}{{/b}}",
        "{{.}}",
        "{{this}}",
        "{{a.b}}",
        "{{a.class}}",
        "{{-index}}",
        "{{>a}}",
        "{{<a}}{{/a}}",
        "{{$a}}{{/a}}",
        "{{=<% %>=}}<%b%>",
        "{{}}"
      })
  void put_invalidSource_isInvalid(String source) {
    assertThat(put(template(titled(source), "a")))
        .extracting(Violation::field)
        .contains("languages.en");
  }

  @Test
  void put_invalidNames_areReported() {
    assertThat(put(template(titled("t"), "a", "a"))).hasSize(1);
    assertThat(put(template(titled("t"), "this"))).hasSize(1);
    assertThat(put(template(titled("t"), "a-b"))).hasSize(1);
    assertThat(put(template(titled("t")).toBuilder().setId("../x").build()))
        .extracting(Violation::field)
        .containsExactly("id");
    assertThat(put(template(titled("t")).toBuilder().putLanguages("EN!", titled("t")).build()))
        .extracting(Violation::field)
        .containsExactly("languages.EN!");
    assertThat(put(NotificationTemplate.newBuilder().setId("t").build()))
        .extracting(Violation::field)
        .containsExactly("languages");
    assertThat(put(template(linked("javascript:alert(1)")))).isNotEmpty();
  }
}
