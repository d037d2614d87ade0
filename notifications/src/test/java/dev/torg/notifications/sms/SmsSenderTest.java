package dev.torg.notifications.sms;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.QueryParams;
import dev.torg.notifications.SenderSettings.Header;
import dev.torg.notifications.SenderSettings.SmsGateway;
import dev.torg.notifications.channel.ContentLinks;
import dev.torg.notifications.channel.DeliveryOutcome;
import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.channel.MessageContent;
import dev.torg.notifications.channel.TestMessages;
import dev.torg.notifications.http.DeliveryHttpClient;
import dev.torg.notifications.http.TestEndpoint;
import dev.torg.notifications.http.TestTimeouts;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Against a local gateway.
class SmsSenderTest {
  private static final String HOSTILE = "A \"quoted\"\n&text=x {to} <b>\\ \u0007";

  private final TestEndpoint gateway = new TestEndpoint();
  private final DeliveryHttpClient http =
      DeliveryHttpClient.forProviders(TestTimeouts.LONG, InstantSource.system());

  @AfterEach
  void close() {
    http.close();
    gateway.close();
  }

  private DeliveryOutcome send(String method, String path, List<Header> headers, String body) {
    SmsSender sender =
        new SmsSender(
            new SmsGateway(method, gateway.url() + path, headers, body, Set.of(200, 202), 3),
            new ContentLinks("https://torg.example"),
            http);
    return sender.send(
        TestMessages.to(
            new DeliveryTarget.Phone("+4915112345678"), MessageContent.of(HOSTILE, "")));
  }

  private AggregatedHttpRequest call() {
    return gateway.requests().getFirst();
  }

  @Test
  void send_json_isEscaped() throws Exception {
    List<Header> headers =
        List.of(
            new Header("Content-Type", "application/json"), new Header("Authorization", "Key abc"));
    assertThat(
            send("POST", "/sms", headers, "{\"to\":\"{to}\",\"body\":\"{text}\",\"ref\":\"{id}\"}"))
        .isEqualTo(DeliveryOutcome.delivered());
    JsonNode json = new ObjectMapper().readTree(call().contentUtf8());
    assertThat(json.path("to").asText()).isEqualTo("+4915112345678");
    assertThat(json.path("body").asText()).isEqualTo("A \"quoted\" &text=x {to} <b>\\");
    assertThat(json.path("ref").asText()).isEqualTo("1001");
    assertThat(call().headers().get("authorization")).isEqualTo("Key abc");
  }

  @Test
  void send_form_isEncoded() {
    assertThat(send("POST", "/sms", List.of(), "to={to}&text={text}"))
        .isEqualTo(DeliveryOutcome.delivered());
    QueryParams form = QueryParams.fromQueryString(call().contentUtf8());
    assertThat(form.getAll("text")).containsExactly("A \"quoted\" &text=x {to} <b>\\");
    assertThat(form.get("to")).isEqualTo("+4915112345678");
    assertThat(call().contentType().toString()).isEqualTo("application/x-www-form-urlencoded");
  }

  @Test
  void send_get_isEncodedInTheAddress() {
    assertThat(send("GET", "/send?to={to}&text={text}", List.of(), ""))
        .isEqualTo(DeliveryOutcome.delivered());
    QueryParams query = QueryParams.fromQueryString(call().path().split("\\?", 2)[1]);
    assertThat(query.get("to")).isEqualTo("+4915112345678");
    assertThat(query.getAll("text")).containsExactly("A \"quoted\" &text=x {to} <b>\\");
    assertThat(call().content().isEmpty()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "202, Delivered",
    "204, Rejected",
    "400, Rejected",
    "401, Refused",
    "429, Refused",
    "500, Unknown",
    "503, Refused"
  })
  void send_status_decidesTheOutcome(int status, String outcome) {
    gateway.answers(HttpStatus.valueOf(status));
    assertThat(send("POST", "/sms", List.of(), "{text}").getClass().getSimpleName())
        .isEqualTo(outcome);
  }

  @Test
  void template_values_areEscapedForTheirPlace() {
    Map<String, String> values = Map.of("to", "+49", "text", "a<b>&\"'\r\nX: y", "id", "{to}");
    assertThat(SmsTemplate.body("<m>{text}</m>", "application/xml", values))
        .isEqualTo("<m>a&lt;b&gt;&amp;&quot;&apos;\r\nX: y</m>");
    assertThat(SmsTemplate.header("{text}{id}", values)).isEqualTo("a<b>&\"'??X: y{to}");
    assertThat(SmsTemplate.body("{text}|{other}|{id}", "text/plain", values))
        .isEqualTo("a<b>&\"'\r\nX: y|{other}|{to}");
  }
}
