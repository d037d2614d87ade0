package dev.torg.notifications.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.notifications.Channel;
import dev.torg.notifications.DeliveryRequest;
import dev.torg.platform.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryPolicyTest {
  private static final Instant CREATED = Instant.parse("2026-05-04T10:00:00Z");

  private static final RetryPolicy POLICY =
      new RetryPolicy(
          new Backoff(Duration.ofSeconds(5), Duration.ofMinutes(15)),
          Duration.ofDays(1),
          Duration.ofHours(6));

  @ParameterizedTest
  @CsvSource({
    "0, PT0S,      ,       , PT5S", // The first refusal.
    "1, PT0S,      ,       , PT10S", // Waits double,
    "20, PT0S,     ,       , PT15M", // up to the longest one.
    "0, PT0S,   PT1M,      , PT1M", // The provider asks for more,
    "1, PT0S,   PT1S,      , PT10S", // for less,
    "0, PT0S,   PT9H,      , PT6H", // for too much.
    "0, PT0S,   PT-1H,     , PT5S", // A clock that differs.
    "0, PT23H59M55S, ,     , PT24H", // The last moment of the maximum age,
    "0, PT23H59M56S, ,     ,", // and after it.
    "0, PT20H,  PT5H,      ,", // The provider asks for a wait beyond it.
    "0, PT0S,      , PT6S,  PT5S", // It expires after the next attempt,
    "0, PT0S,      , PT5S,", // at its time,
    "0, PT0S,   PT1M, PT30S," // before the time that the provider asks for.
  })
  void retryAt(
      int attempts, Duration age, Duration retryAfter, Duration expiresAfter, Duration next) {
    Optional<Instant> at =
        POLICY.retryAt(
            operation(attempts, Optional.ofNullable(expiresAfter).map(CREATED::plus)),
            CREATED.plus(age),
            Optional.ofNullable(retryAfter));
    assertThat(at).isEqualTo(Optional.ofNullable(next).map(CREATED::plus));
  }

  private static DeliveryOperation operation(int attempts, Optional<Instant> expiresAt) {
    DeliveryRequest request =
        new DeliveryRequest(
            Set.of(Channel.EMAIL),
            expiresAt,
            Map.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    DeliveryOperation operation =
        DeliveryOperation.of("user:1", 1, Channel.EMAIL, "searches", request, CREATED);
    for (int i = 0; i < attempts; i++) {
      operation = operation.refused(Set.of(), false);
    }
    return operation;
  }
}
