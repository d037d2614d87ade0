package dev.torg.alerts.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.Offer;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamedReasonsTest {
  private static final OfferId OFFER = OfferId.random(new Home(7));
  private static final AlertContent CONTENT =
      AlertContent.newOffer(
          Offer.newBuilder().setId(OFFER.toString()).setSellerId("user:7").build(), Instant.EPOCH);
  private static final Delivery[] DELIVERIES = {Delivery.INSTANT, Delivery.DAILY, Delivery.OFF};

  private final NamedReasons named = new NamedReasons(OFFER);
  private final ReasonRanking ranking = new ReasonRanking();

  private void add(AlertReason reason, Delivery delivery) {
    named.add(reason, delivery);
    ranking.add(reason, delivery);
  }

  private static AlertReason search(int number) {
    return AlertReason.search("%040x".formatted(number));
  }

  private Alert alert() {
    return named.alert("user:1", CONTENT, List.of());
  }

  /// Some reasons are added several times, with the same delivery or another one.
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 19, 20, 21, 22, 40, 1000})
  void alert_anyOrder_namesTheFirstOfAllReasonsInOrder(int count) {
    Random random = new Random(count);
    for (int i = 0; i < 2 * count; i++) {
      int number = random.nextInt(count);
      add(
          number == 0 ? AlertReason.seller("user:7") : search(number),
          DELIVERIES[random.nextInt(3)]);
    }
    Alert expected = new Alert("user:1", CONTENT, ranking.inOrder(OFFER));
    assertThat(new ArrayList<>(alert().reasons())).isEqualTo(new ArrayList<>(expected.reasons()));
    assertThat(alert().reasonsTruncated()).isEqualTo(expected.reasonsTruncated());
  }

  @Test
  void add_thousandsOfReasons_keepsTwenty() {
    for (int i = 0; i < 5_000; i++) {
      add(search(i), DELIVERIES[i % 3]);
      assertThat(named.size()).isLessThanOrEqualTo(Alert.MAX_REASONS);
    }
  }

  @Test
  void add_sameReasonAgain_doesNotTruncate() {
    IntStream.range(0, 20).forEach(i -> add(search(i), Delivery.DAILY));
    IntStream.range(0, 20).forEach(i -> add(search(i), DELIVERIES[i % 3]));
    assertThat(alert().reasonsTruncated()).isFalse();
    assertThat(alert().reasons()).hasSize(20);
  }

  @Test
  void alert_othersBeyondTheLimit_followOwnReasonsAndTruncate() {
    add(search(1), Delivery.OFF);
    List<AlertReason> others = IntStream.range(100, 130).mapToObj(n -> search(n)).toList();
    Alert alert = named.alert("user:1", CONTENT, others);
    assertThat(alert.reasons())
        .hasSize(20)
        .startsWith(search(1))
        .containsAll(others.subList(0, 19));
    assertThat(alert.reasonsTruncated()).isTrue();
    assertThat(named.alert("user:1", CONTENT, others.subList(0, 19)).reasonsTruncated()).isFalse();
  }
}
