package dev.torg.alerts.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.AlertEvent;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AlertTest {
  private static final int MANY_SEARCHES = 25_000;

  private static AlertContent content(String title) {
    Instant now = Instant.parse("2026-05-04T12:00:00Z");
    return new AlertContent(
        AlertEvent.Type.NEW_OFFER,
        OfferId.random(new Home(7)),
        "user:seller",
        1,
        now,
        now,
        title,
        Optional.empty(),
        List.of());
  }

  private static Set<AlertReason> searches(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> AlertReason.search("%040x".formatted(i)))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  @Test
  void alert_upTo20Reasons_namesAll() {
    Alert alert = new Alert("user:1", content("Car"), searches(0, 20));
    assertThat(alert.reasons()).isEqualTo(searches(0, 20));
    assertThat(alert.reasonsTruncated()).isFalse();
  }

  @Test
  void alert_moreReasons_namesTheFirst20AndReportsIt() throws InvalidProtocolBufferException {
    Alert alert = new Alert("user:1", content("Car"), searches(0, MANY_SEARCHES));
    assertThat(alert.reasons()).containsExactlyElementsOf(searches(0, 20));
    assertThat(alert.toBytes()).hasSizeLessThan(2_000);
    assertThat(Alert.stored(alert.toBytes())).isEqualTo(alert);
    assertThat(alert.to("user:2").reasonsTruncated()).isTrue();
  }

  @Test
  void with_another_reportsWhetherReasonsWereTruncated() {
    AlertContent content = content("Car");
    Alert complete = new Alert("user:1", content, searches(0, 15));
    assertThat(complete.with(new Alert("user:1", content, searches(10, 20))).reasonsTruncated())
        .isFalse();
    assertThat(complete.with(new Alert("user:1", content, searches(10, 21))).reasonsTruncated())
        .isTrue();
    Alert truncated = new Alert("user:1", content, searches(0, 1), true);
    assertThat(complete.with(truncated).reasonsTruncated()).isTrue();
  }

  @Test
  void within_sufficientBytes_isUnchanged() {
    Alert alert = new Alert("user:1", content("Car"), searches(0, 20));
    assertThat(alert.within(10_000)).isEqualTo(alert);
  }

  @Test
  void within_tooLongATitle_shortensIt() {
    Alert alert = new Alert("user:1", content("🚗".repeat(MANY_SEARCHES)), searches(0, 3));
    Alert shorter = alert.within(10_000);
    assertThat(shorter.content().title()).isEqualTo("🚗".repeat(200));
    assertThat(shorter.reasons()).hasSize(3);
    assertThat(shorter.toBytes()).hasSizeLessThanOrEqualTo(10_000);
  }

  @Test
  void within_tooManyReasons_namesFewerAndReportsIt() {
    Alert alert = new Alert("user:1", content("Car"), searches(0, 20));
    Alert shorter = alert.within(500);
    assertThat(shorter.toBytes()).hasSizeLessThanOrEqualTo(500);
    assertThat(shorter.reasons()).isNotEmpty().hasSizeLessThan(20);
    assertThat(shorter.reasonsTruncated()).isTrue();
  }
}
