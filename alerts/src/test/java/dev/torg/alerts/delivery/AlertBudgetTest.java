package dev.torg.alerts.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.event.AlertReason;
import dev.torg.alerts.event.AlertSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class AlertBudgetTest {
  private static final Instant NOON = Instant.parse("2026-05-04T12:00:00Z");
  private static final AlertSettings SETTINGS = AlertSettings.defaults(Path.of("."));

  private static AlertBudget reread(AlertBudget budget, Instant now) {
    return AlertBudget.stored(
        "user:1", budget.day, budget.today(), budget.hour, budget.sources(), now);
  }

  @Test
  void spend_twentyFirstOfOneSourceInAnHour_isCollapsed() {
    AlertBudget budget = AlertBudget.unused("user:1", NOON);
    for (int i = 0; i < 20; i++) {
      assertThat(budget.spend(AlertReason.seller("user:a=b"), SETTINGS))
          .isEqualTo(AlertBudget.Mode.INSTANT);
      budget = reread(budget, NOON.plusSeconds(i));
    }
    assertThat(budget.spend(AlertReason.seller("user:a=b"), SETTINGS))
        .isEqualTo(AlertBudget.Mode.COLLAPSED);
    assertThat(budget.spend(AlertReason.seller("user:c"), SETTINGS))
        .isEqualTo(AlertBudget.Mode.INSTANT);
    AlertBudget nextHour = reread(budget, NOON.plus(Duration.ofHours(1)));
    assertThat(nextHour.spend(AlertReason.seller("user:a=b"), SETTINGS))
        .isEqualTo(AlertBudget.Mode.INSTANT);
    assertThat(nextHour.today()).isEqualTo(23);
  }

  @Test
  void spend_pastTwoHundredADay_goesToTheDigestUntilTheNextDay() {
    AlertBudget budget = AlertBudget.unused("user:1", NOON);
    for (int i = 0; i < 200; i++) {
      assertThat(budget.spend(AlertReason.price("" + i), SETTINGS))
          .isEqualTo(AlertBudget.Mode.INSTANT);
    }
    assertThat(budget.spend(AlertReason.search("s"), SETTINGS)).isEqualTo(AlertBudget.Mode.DIGEST);
    AlertBudget tomorrow = reread(budget, NOON.plus(Duration.ofDays(1)));
    assertThat(tomorrow.spend(AlertReason.search("s"), SETTINGS))
        .isEqualTo(AlertBudget.Mode.INSTANT);
  }

  @Test
  void spend_manyPricesOfOneOffer_areNotCollapsed() {
    AlertBudget budget = AlertBudget.unused("user:1", NOON);
    for (int i = 0; i < SETTINGS.perHour() + 1; i++) {
      assertThat(budget.spend(AlertReason.price("1"), SETTINGS))
          .isEqualTo(AlertBudget.Mode.INSTANT);
    }
    assertThat(budget.sources()).isEmpty();
  }

  /// Twenty single entries are displayed; the storm adds an entry of its own, which counts once.
  @Test
  void spendStorm_afterTwentySingleAlerts_countsForOneMore() {
    AlertReason seller = AlertReason.seller("user:a");
    AlertBudget budget = AlertBudget.unused("user:1", NOON);
    for (int i = 0; i < SETTINGS.perHour(); i++) {
      budget.spend(seller, SETTINGS);
    }
    assertThat(budget.spendStorm(seller, 500, SETTINGS)).isTrue();
    assertThat(budget.spendStorm(seller, 500, SETTINGS)).isTrue();
    assertThat(budget.today()).isEqualTo(SETTINGS.perHour() + 1);
  }

  @Test
  void spendStorm_againInTheHour_countsForOneAlert() {
    AlertBudget budget = AlertBudget.unused("user:1", NOON);
    for (int i = 0; i < 300; i++) {
      assertThat(budget.spendStorm(AlertReason.seller("user:a"), 500, SETTINGS)).isTrue();
      budget = reread(budget, NOON.plusSeconds(i));
    }
    assertThat(budget.today()).isEqualTo(1);
    assertThat(budget.spend(AlertReason.seller("user:a"), SETTINGS))
        .isEqualTo(AlertBudget.Mode.COLLAPSED);
  }

  @Test
  void spendStorm_pastTwoHundredADay_goesToTheDigestUnlessItsEntryIsThere() {
    AlertBudget budget = AlertBudget.unused("user:1", NOON);
    assertThat(budget.spendStorm(AlertReason.seller("user:a"), 5, SETTINGS)).isTrue();
    for (int i = 0; i < 199; i++) {
      budget.spend(AlertReason.price("" + i), SETTINGS);
    }
    assertThat(budget.spendStorm(AlertReason.seller("user:b"), 500, SETTINGS)).isFalse();
    assertThat(budget.spendStorm(AlertReason.seller("user:a"), 500, SETTINGS)).isTrue();
  }
}
