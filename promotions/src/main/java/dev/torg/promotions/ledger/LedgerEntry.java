package dev.torg.promotions.ledger;

import dev.torg.platform.Money;
import java.util.List;
import java.util.Optional;

/// A change of a balance and, by the opposite amount, of its contra account.
///
/// @param amount in minor units; positive if the balance grows
/// @param contra the other account: [LegAccount#PROVIDER] or [LegAccount#REVENUE]
/// @param reference identifies the entry among those of its account and kind
/// @param refersTo of a refund: the reference of the top-up or charge that it returns
/// @param reason for the seller
public record LedgerEntry(
    LedgerAccount account,
    LedgerKind kind,
    long amount,
    LegAccount contra,
    String reference,
    Optional<String> refersTo,
    String reason) {
  /// One of the two sides of an entry.
  public record Leg(LegAccount account, long amount) {}

  /// What a reference is unique for, within an account.
  record Key(LedgerKind kind, String reference) {}

  public LedgerEntry {
    require(amount != 0 && Math.abs(amount) <= Money.MAX_AMOUNT, "amount");
    require(!reference.isEmpty(), "reference");
    require(contra == contraOf(kind, amount), "contra account");
    require(refersTo.isPresent() == (kind == LedgerKind.REFUND), "reference to what is returned");
  }

  /// Money that the seller has paid at the provider.
  public static LedgerEntry topUp(String seller, Money money, String reference, String reason) {
    return of(seller, money, 1, LedgerKind.TOP_UP, reference, Optional.empty(), reason);
  }

  /// A service that the seller buys.
  public static LedgerEntry charge(String seller, Money money, String reference, String reason) {
    return of(seller, money, -1, LedgerKind.CHARGE, reference, Optional.empty(), reason);
  }

  /// All or a part of a charge, which returns to the balance.
  ///
  /// @param charge its reference
  public static LedgerEntry refundOfCharge(
      String seller, Money money, String charge, String reference, String reason) {
    return of(seller, money, 1, LedgerKind.REFUND, reference, Optional.of(charge), reason);
  }

  /// All or a part of a top-up, which the provider returns to the payer.
  ///
  /// @param topUp its reference
  public static LedgerEntry refundOfTopUp(
      String seller, Money money, String topUp, String reference, String reason) {
    return of(seller, money, -1, LedgerKind.REFUND, reference, Optional.of(topUp), reason);
  }

  private static LedgerEntry of(
      String seller,
      Money money,
      int sign,
      LedgerKind kind,
      String reference,
      Optional<String> refersTo,
      String reason) {
    long amount = sign * money.amount();
    LegAccount contra = contraOf(kind, amount);
    return new LedgerEntry(
        new LedgerAccount(seller, money.currency()),
        kind,
        amount,
        contra,
        reference,
        refersTo,
        reason);
  }

  static LegAccount contraOf(LedgerKind kind, long amount) {
    return switch (kind) {
      case TOP_UP -> {
        require(amount > 0, "amount of a top-up");
        yield LegAccount.PROVIDER;
      }
      case CHARGE -> {
        require(amount < 0, "amount of a charge");
        yield LegAccount.REVENUE;
      }
      case REFUND -> amount > 0 ? LegAccount.REVENUE : LegAccount.PROVIDER;
    };
  }

  /// The balance's leg first. Their amounts sum to zero.
  public List<Leg> legs() {
    return List.of(new Leg(LegAccount.BALANCE, amount), new Leg(contra, -amount));
  }

  Key key() {
    return new Key(kind, reference);
  }

  /// The entry that a refund returns.
  Optional<Key> returned() {
    LedgerKind of = contra == LegAccount.REVENUE ? LedgerKind.CHARGE : LedgerKind.TOP_UP;
    return refersTo.map(paid -> new Key(of, paid));
  }

  /// Whether the other entry is the same one, requested again. The reason may be worded differently.
  boolean isRepeatedBy(LedgerEntry other) {
    return amount == other.amount && contra == other.contra && refersTo.equals(other.refersTo);
  }

  private static void require(boolean condition, String what) {
    if (!condition) {
      throw new IllegalArgumentException("bad " + what + " of a ledger entry");
    }
  }
}
