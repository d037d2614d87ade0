package dev.torg.notifications.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.notifications.channel.DeliveryOutcome;
import dev.torg.notifications.http.HttpCallResult.Answered;
import dev.torg.notifications.http.HttpCallResult.Lost;
import dev.torg.notifications.http.HttpCallResult.NotSent;
import dev.torg.notifications.http.HttpCallResult.PrivateAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpOutcomesTest {
  private static final Instant NOW = Instant.parse("2026-05-04T10:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "200, Delivered",
    "202, Delivered",
    "204, Delivered",
    "301, Rejected",
    "400, Rejected",
    "401, Rejected",
    "404, Rejected",
    "408, Refused",
    "413, Rejected",
    "425, Refused",
    "429, Refused",
    "500, Unknown",
    "502, Unknown",
    "503, Refused",
    "504, Unknown"
  })
  void ofStatus(int status, String outcome) {
    assertThat(
            HttpOutcomes.ofStatus(new Answered(status, "", Optional.empty()))
                .getClass()
                .getSimpleName())
        .isEqualTo(outcome);
  }

  @Test
  void of_resultWithoutAnswer_tellsRefusedFromUnknown() {
    assertThat(HttpOutcomes.of(new NotSent("tls-failed"), HttpOutcomes::ofStatus))
        .isEqualTo(DeliveryOutcome.refused("tls-failed"));
    assertThat(HttpOutcomes.of(new Lost("timeout"), HttpOutcomes::ofStatus))
        .isEqualTo(DeliveryOutcome.unknown("timeout"));
    assertThat(HttpOutcomes.of(new PrivateAddress(), HttpOutcomes::ofStatus))
        .isEqualTo(DeliveryOutcome.rejected("private-address"));
  }

  @ParameterizedTest
  @CsvSource({
    "120, 120",
    "'Mon, 4 May 2026 10:01:00 GMT', 60",
    "'Mon, 4 May 2026 09:00:00 GMT', ",
    "soon, ",
    "-5, ",
    "999999999, 86400",
    ", "
  })
  void retryAfter_parse(String header, Long seconds) {
    assertThat(RetryAfter.parse(header, NOW))
        .isEqualTo(Optional.ofNullable(seconds).map(Duration::ofSeconds));
  }
}
