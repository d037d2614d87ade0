package dev.torg.promotions.ledger;

import dev.torg.platform.Money;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/// Random postings of a seller: few references and small amounts, so that repetitions, conflicts, shortages and refunds
/// of what does not exist are frequent.
final class LedgerHistory {
  private static final int REFERENCES = 6;
  private static final int MAX_AMOUNT = 9;
  private static final String[] CURRENCIES = {"EUR", "USD"};

  private final Random random;
  private final String seller;

  LedgerHistory(long seed, String seller) {
    this.random = new Random(seed);
    this.seller = seller;
  }

  List<Posting> postings(int count) {
    return IntStream.range(0, count).mapToObj(_ -> posting()).toList();
  }

  private Posting posting() {
    String currency = CURRENCIES[random.nextInt(CURRENCIES.length)];
    List<LedgerEntry> entries = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      LedgerEntry entry = entry(currency);
      if (entries.stream().noneMatch(other -> other.key().equals(entry.key()))) {
        entries.add(entry);
      }
    }
    return new Posting(entries);
  }

  private LedgerEntry entry(String currency) {
    Money money = new Money(1 + random.nextInt(MAX_AMOUNT), currency);
    String reference = reference();
    return switch (random.nextInt(5)) {
      case 0, 1 -> LedgerEntry.topUp(seller, money, reference, "top-up");
      case 2 -> LedgerEntry.charge(seller, money, reference, "charge");
      case 3 -> LedgerEntry.refundOfCharge(seller, money, reference(), reference, "refund");
      default -> LedgerEntry.refundOfTopUp(seller, money, reference(), reference, "return");
    };
  }

  private String reference() {
    return "r" + random.nextInt(REFERENCES);
  }
}
