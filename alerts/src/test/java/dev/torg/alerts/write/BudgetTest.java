package dev.torg.alerts.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.AlertSettings;
import dev.torg.alerts.alert.Reason;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class BudgetTest {
  private static final Instant NOON = Instant.parse("2026-05-04T12:00:00Z");
  private static final AlertSettings SETTINGS = AlertSettings.usual(Path.of("."));

  private static Budget reread(Budget budget, Instant now) {
    return Budget.kept("user:1", budget.day, budget.today(), budget.hour, budget.sources(), now);
  }

  @Test
  void spend_twentyFirstOfOneSourceInAnHour_isCollapsed() {
    Budget budget = Budget.fresh("user:1", NOON);
    for (int i = 0; i < 20; i++) {
      assertThat(budget.spend(Reason.seller("user:a=b"), SETTINGS))
          .isEqualTo(Budget.Way.ONE_BY_ONE);
      budget = reread(budget, NOON.plusSeconds(i));
    }
    assertThat(budget.spend(Reason.seller("user:a=b"), SETTINGS)).isEqualTo(Budget.Way.COLLAPSED);
    assertThat(budget.spend(Reason.seller("user:c"), SETTINGS)).isEqualTo(Budget.Way.ONE_BY_ONE);
    Budget nextHour = reread(budget, NOON.plus(Duration.ofHours(1)));
    assertThat(nextHour.spend(Reason.seller("user:a=b"), SETTINGS))
        .isEqualTo(Budget.Way.ONE_BY_ONE);
    assertThat(nextHour.today()).isEqualTo(23);
  }

  @Test
  void spend_pastTwoHundredADay_goesToTheDigestUntilTheNextDay() {
    Budget budget = Budget.fresh("user:1", NOON);
    for (int i = 0; i < 200; i++) {
      assertThat(budget.spend(Reason.price("" + i), SETTINGS)).isEqualTo(Budget.Way.ONE_BY_ONE);
    }
    assertThat(budget.spend(Reason.search("s"), SETTINGS)).isEqualTo(Budget.Way.DIGEST);
    Budget tomorrow = reread(budget, NOON.plus(Duration.ofDays(1)));
    assertThat(tomorrow.spend(Reason.search("s"), SETTINGS)).isEqualTo(Budget.Way.ONE_BY_ONE);
  }

  @Test
  void spendStorm_againInTheHour_countsForOneAlert() {
    Budget budget = Budget.fresh("user:1", NOON);
    for (int i = 0; i < 300; i++) {
      assertThat(budget.spendStorm(Reason.seller("user:a"), 500, SETTINGS)).isTrue();
      budget = reread(budget, NOON.plusSeconds(i));
    }
    assertThat(budget.today()).isEqualTo(1);
    assertThat(budget.spend(Reason.seller("user:a"), SETTINGS)).isEqualTo(Budget.Way.COLLAPSED);
  }

  @Test
  void spendStorm_pastTwoHundredADay_goesToTheDigestUnlessItsEntryIsThere() {
    Budget budget = Budget.fresh("user:1", NOON);
    assertThat(budget.spendStorm(Reason.seller("user:a"), 5, SETTINGS)).isTrue();
    for (int i = 0; i < 199; i++) {
      budget.spend(Reason.price("" + i), SETTINGS);
    }
    assertThat(budget.spendStorm(Reason.seller("user:b"), 500, SETTINGS)).isFalse();
    assertThat(budget.spendStorm(Reason.seller("user:a"), 500, SETTINGS)).isTrue();
  }
}
