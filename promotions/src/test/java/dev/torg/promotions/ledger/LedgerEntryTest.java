package dev.torg.promotions.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.platform.Money;
import dev.torg.promotions.ledger.LedgerEntry.Leg;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LedgerEntryTest {
  private static final Money FIVE = new Money(500, "EUR");
  private static final LedgerEntry TOP_UP = LedgerEntry.topUp("user:1", FIVE, "p1", "top-up");
  private static final LedgerEntry CHARGE = LedgerEntry.charge("user:1", FIVE, "c1", "premium");
  private static final LedgerEntry OF_CHARGE =
      LedgerEntry.refundOfCharge("user:1", FIVE, "c1", "r1", "ended");
  private static final LedgerEntry OF_TOP_UP =
      LedgerEntry.refundOfTopUp("user:1", FIVE, "p1", "r2", "returned");

  @Test
  void legs_moveTheAmountBetweenTheBalanceAndItsContraAccount() {
    assertThat(TOP_UP.legs())
        .containsExactly(new Leg(LegAccount.BALANCE, 500), new Leg(LegAccount.PROVIDER, -500));
    assertThat(CHARGE.legs())
        .containsExactly(new Leg(LegAccount.BALANCE, -500), new Leg(LegAccount.REVENUE, 500));
    assertThat(OF_CHARGE.legs())
        .containsExactly(new Leg(LegAccount.BALANCE, 500), new Leg(LegAccount.REVENUE, -500));
    assertThat(OF_TOP_UP.legs())
        .containsExactly(new Leg(LegAccount.BALANCE, -500), new Leg(LegAccount.PROVIDER, 500));
  }

  @Test
  void legs_sumToZero() {
    for (LedgerEntry entry : List.of(TOP_UP, CHARGE, OF_CHARGE, OF_TOP_UP)) {
      assertThat(entry.legs().stream().mapToLong(Leg::amount).sum()).isZero();
    }
  }

  @Test
  void refund_namesTheKindThatItReturns() {
    assertThat(OF_CHARGE.returned()).contains(CHARGE.key());
    assertThat(OF_TOP_UP.returned()).contains(TOP_UP.key());
    assertThat(CHARGE.returned()).isEmpty();
  }

  @Test
  void entry_withoutAmount_isRefused() {
    assertThatThrownBy(
            () -> LedgerEntry.charge("user:1", new Money(0, "EUR"), "c", "nothing to pay"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void entry_withTheContraAccountOfAnotherKind_isRefused() {
    LedgerAccount account = TOP_UP.account();
    assertThatThrownBy(
            () ->
                new LedgerEntry(
                    account, LedgerKind.CHARGE, -1, LegAccount.PROVIDER, "c", Optional.empty(), ""))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                new LedgerEntry(
                    account, LedgerKind.CHARGE, 1, LegAccount.REVENUE, "c", Optional.empty(), ""))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void posting_ofTwoAccountsOrOneReferenceTwice_isRefused() {
    LedgerEntry other = LedgerEntry.topUp("user:2", FIVE, "p2", "top-up");
    assertThatThrownBy(() -> Posting.of(TOP_UP, other))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Posting.of(CHARGE, CHARGE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Posting(List.of())).isInstanceOf(IllegalArgumentException.class);
  }
}
