package dev.torg.alerts.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReasonRankingTest {
  private static final OfferId OFFER = OfferId.random(new Home(7));
  private static final List<AlertReason> SEARCHES =
      IntStream.range(0, 100).mapToObj(i -> AlertReason.search("%040x".formatted(i))).toList();

  private static ReasonRanking of(List<AlertReason> reasons) {
    ReasonRanking ranking = new ReasonRanking();
    reasons.forEach(reason -> ranking.add(reason, Delivery.INSTANT));
    return ranking;
  }

  @Test
  void inOrder_deliveries_putsInstantBeforeDailyBeforeOff() {
    ReasonRanking ranking = new ReasonRanking();
    ranking.add(SEARCHES.get(0), Delivery.OFF);
    ranking.add(SEARCHES.get(1), Delivery.DELIVERY_UNSPECIFIED);
    ranking.add(SEARCHES.get(2), Delivery.DAILY);
    ranking.add(SEARCHES.get(3), Delivery.INSTANT);
    ranking.add(AlertReason.seller("user:7"), Delivery.OFF);
    assertThat(ranking.inOrder(OFFER))
        .containsExactly(
            AlertReason.seller("user:7"),
            SEARCHES.get(3),
            SEARCHES.get(2),
            SEARCHES.get(1),
            SEARCHES.get(0));
  }

  @Test
  void inOrder_createdInAnotherOrder_isTheSame() {
    List<AlertReason> reversed = SEARCHES.reversed();
    assertThat(List.copyOf(of(reversed).inOrder(OFFER)))
        .isEqualTo(List.copyOf(of(SEARCHES).inOrder(OFFER)));
  }

  @Test
  void inOrder_overManyOffers_everySearchIsAmongTheNamed() {
    Set<AlertReason> named = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      OfferId offer = OfferId.random(new Home(i));
      named.addAll(of(SEARCHES).inOrder(offer).stream().limit(20).collect(Collectors.toSet()));
    }
    assertThat(named).isEqualTo(new HashSet<>(SEARCHES));
  }
}
