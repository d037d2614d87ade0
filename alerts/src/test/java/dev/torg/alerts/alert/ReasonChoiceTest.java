package dev.torg.alerts.alert;

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

class ReasonChoiceTest {
  private static final OfferId OFFER = OfferId.random(new Home(7));
  private static final List<Reason> SEARCHES =
      IntStream.range(0, 100).mapToObj(i -> Reason.search("%040x".formatted(i))).toList();

  private static ReasonChoice of(List<Reason> reasons) {
    ReasonChoice choice = new ReasonChoice();
    reasons.forEach(reason -> choice.add(reason, Delivery.INSTANT));
    return choice;
  }

  @Test
  void inOrder_deliveries_putsInstantBeforeDailyBeforeOff() {
    ReasonChoice choice = new ReasonChoice();
    choice.add(SEARCHES.get(0), Delivery.OFF);
    choice.add(SEARCHES.get(1), Delivery.DELIVERY_UNSPECIFIED);
    choice.add(SEARCHES.get(2), Delivery.DAILY);
    choice.add(SEARCHES.get(3), Delivery.INSTANT);
    choice.add(Reason.seller("user:7"), Delivery.OFF);
    assertThat(choice.inOrder(OFFER))
        .containsExactly(
            Reason.seller("user:7"),
            SEARCHES.get(3),
            SEARCHES.get(2),
            SEARCHES.get(1),
            SEARCHES.get(0));
  }

  @Test
  void inOrder_madeAgainInAnotherOrder_isTheSame() {
    List<Reason> reversed = SEARCHES.reversed();
    assertThat(List.copyOf(of(reversed).inOrder(OFFER)))
        .isEqualTo(List.copyOf(of(SEARCHES).inOrder(OFFER)));
  }

  @Test
  void inOrder_overManyOffers_everySearchIsAmongTheNamed() {
    Set<Reason> named = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      OfferId offer = OfferId.random(new Home(i));
      named.addAll(of(SEARCHES).inOrder(offer).stream().limit(20).collect(Collectors.toSet()));
    }
    assertThat(named).isEqualTo(new HashSet<>(SEARCHES));
  }
}
