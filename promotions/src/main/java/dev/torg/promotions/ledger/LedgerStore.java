package dev.torg.promotions.ledger;

import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/// Writes postings within the caller's transaction, in the sellers' homes.
///
/// The rows of the accounts are locked first, in key order, and created if they are missing: also a posting that finds no
/// balance leaves the account locked until the transaction ends, so a top-up that follows sees what the transaction has
/// recorded as waiting for it. For the position of the locks see docs/data-model.md#lock-order.
public final class LedgerStore {
  private static final BatchColumns<LedgerAccount> ACCOUNTS =
      BatchColumns.of(LedgerAccount::home)
          .texts("seller", LedgerAccount::seller)
          .texts("currency", LedgerAccount::currency);

  private static final BatchSql<LedgerAccount> LOCK =
      ACCOUNTS.sql(
          """
          INSERT INTO ledger_account AS a (home, balance, last_id, seller, currency)
          SELECT k.home, 0, 0, k.seller, k.currency FROM :rows(k)
           ORDER BY k.home, k.seller, k.currency
          ON CONFLICT (home, seller, currency) DO UPDATE SET balance = a.balance
          RETURNING seller, currency, balance, last_id
          """);

  private static final BatchColumns<Named> NAMED =
      BatchColumns.<Named>of(named -> named.account().home())
          .texts("seller", named -> named.account().seller())
          .texts("currency", named -> named.account().currency())
          .ints("kind", named -> named.key().kind().number())
          .texts("reference", named -> named.key().reference());

  private static final BatchSql<Named> FIND_NAMED =
      NAMED.sql(
          """
              SELECT e.seller, e.currency, e.kind, e.amount, e.reference, e.refers_to
                FROM :batch(k)
                JOIN ledger_entry e ON e.home = k.home AND e.seller = k.seller
                 AND e.currency = k.currency AND e.kind = k.kind AND e.reference = k.reference
               WHERE e.leg = 0 AND :shard(e)
              """);

  private static final BatchSql<Named> FIND_REFUNDS =
      NAMED.sql(
          """
              SELECT e.seller, e.currency, e.kind, e.amount, e.reference, e.refers_to
                FROM :batch(k)
                JOIN ledger_entry e ON e.home = k.home AND e.seller = k.seller
                 AND e.currency = k.currency AND e.refers_to = k.reference
               WHERE e.leg = 0 AND e.refers_to IS NOT NULL AND :shard(e)
              """);

  private static final BatchSql<LegRow> INSERT =
      BatchColumns.<LegRow>of(row -> row.stored().entry().account().home())
          .ints("leg", row -> row.leg().account().number())
          .ints("kind", row -> row.stored().entry().kind().number())
          .longs("id", row -> row.stored().id())
          .longs("amount", row -> row.leg().amount())
          .instants("at", row -> row.stored().at())
          .texts("seller", row -> row.stored().entry().account().seller())
          .texts("currency", row -> row.stored().entry().account().currency())
          .texts("reference", row -> row.stored().entry().reference())
          .texts("refers_to", row -> row.stored().entry().refersTo().orElse(null))
          .texts("reason", row -> row.stored().entry().reason())
          .sql(
              """
              INSERT INTO ledger_entry
                (home, leg, kind, id, amount, at, seller, currency, reference, refers_to, reason)
              SELECT k.home, k.leg, k.kind, k.id, k.amount, k.at, k.seller, k.currency, k.reference,
                     k.refers_to, k.reason
                FROM :rows(k)
              """);

  private static final BatchSql<Changed> UPDATE =
      BatchColumns.<Changed>of(changed -> changed.account().home())
          .texts("seller", changed -> changed.account().seller())
          .texts("currency", changed -> changed.account().currency())
          .longs("balance", Changed::balance)
          .longs("last_id", Changed::lastId)
          .sql(
              """
              UPDATE ledger_account a SET balance = k.balance, last_id = k.last_id FROM :batch(k)
               WHERE a.home = k.home AND a.seller = k.seller AND a.currency = k.currency
                 AND :shard(a)
              """);

  /// An entry that a posting names.
  private record Named(LedgerAccount account, LedgerEntry.Key key) {}

  private record LegRow(StoredEntry stored, LedgerEntry.Leg leg) {}

  private record Changed(LedgerAccount account, long balance, long lastId) {}

  private record Balance(long amount, long lastId) {}

  private final CreditListener listener;

  /// @param listener is called when balances have grown, at the end of the transaction's statements on the ledger
  public LedgerStore(CreditListener listener) {
    this.listener = listener;
  }

  /// Writes the postings in their order and returns what became of each. All accounts are of one shard. To be called once
  /// per transaction.
  public List<PostingOutcome> post(Tx tx, List<Posting> postings, Instant now) throws SQLException {
    Map<LedgerAccount, AccountLedger> ledgers = lock(tx, postings);
    List<PostingOutcome> outcomes = new ArrayList<>(postings.size());
    for (Posting posting : postings) {
      AccountLedger ledger = Objects.requireNonNull(ledgers.get(posting.account()));
      outcomes.add(ledger.post(posting, now));
    }
    write(tx, ledgers);
    return outcomes;
  }

  public PostingOutcome post(Tx tx, Posting posting, Instant now) throws SQLException {
    return post(tx, List.of(posting), now).getFirst();
  }

  private static Map<LedgerAccount, AccountLedger> lock(Tx tx, List<Posting> postings)
      throws SQLException {
    List<LedgerAccount> accounts =
        postings.stream().map(Posting::account).distinct().sorted(LedgerAccount.BY_KEY).toList();
    Map<LedgerAccount, Balance> balances = new LinkedHashMap<>();
    tx.sql(LOCK, accounts)
        .each(
            row ->
                balances.put(
                    new LedgerAccount(row.textAt(1), row.textAt(2)),
                    new Balance(row.longAt(3), row.longAt(4))));
    Map<LedgerAccount, List<LedgerEntry>> former = former(tx, postings);
    Map<LedgerAccount, AccountLedger> ledgers = new LinkedHashMap<>();
    balances.forEach(
        (account, balance) ->
            ledgers.put(
                account,
                new AccountLedger(
                    balance.amount(), balance.lastId(), former.getOrDefault(account, List.of()))));
    return ledgers;
  }

  /// The former entries that decide: see [AccountLedger].
  private static Map<LedgerAccount, List<LedgerEntry>> former(Tx tx, List<Posting> postings)
      throws SQLException {
    List<LedgerEntry> entries =
        postings.stream().flatMap(posting -> posting.entries().stream()).toList();
    List<Named> paid =
        entries.stream()
            .flatMap(entry -> entry.returned().stream().map(key -> new Named(entry.account(), key)))
            .distinct()
            .toList();
    Stream<Named> own = entries.stream().map(entry -> new Named(entry.account(), entry.key()));
    List<Named> named = Stream.concat(own, paid.stream()).distinct().toList();
    Map<LedgerAccount, List<LedgerEntry>> found = new LinkedHashMap<>();
    Collection<LedgerEntry> rows = new ArrayList<>();
    rows.addAll(tx.sql(FIND_NAMED, named).list(LedgerStore::entry));
    rows.addAll(tx.sql(FIND_REFUNDS, paid).list(LedgerStore::entry));
    rows.forEach(
        entry -> found.computeIfAbsent(entry.account(), _ -> new ArrayList<>()).add(entry));
    return found;
  }

  private void write(Tx tx, Map<LedgerAccount, AccountLedger> ledgers) throws SQLException {
    List<LegRow> legs = new ArrayList<>();
    List<Changed> changed = new ArrayList<>();
    Set<String> credited = new HashSet<>();
    ledgers.forEach(
        (account, ledger) -> {
          for (StoredEntry stored : ledger.added()) {
            stored.entry().legs().forEach(leg -> legs.add(new LegRow(stored, leg)));
            if (stored.entry().amount() > 0) {
              credited.add(account.seller());
            }
          }
          if (!ledger.added().isEmpty()) {
            changed.add(new Changed(account, ledger.balance(), ledger.lastId()));
          }
        });
    tx.sql(INSERT, legs).update();
    tx.sql(UPDATE, changed).update();
    if (!credited.isEmpty()) {
      listener.credited(tx, credited);
    }
  }

  /// The reason is not read: it decides nothing.
  private static LedgerEntry entry(Row row) throws SQLException {
    LedgerKind kind = LedgerKind.ofNumber(row.intAt(3));
    long amount = row.longAt(4);
    return new LedgerEntry(
        new LedgerAccount(row.textAt(1), row.textAt(2)),
        kind,
        amount,
        LedgerEntry.contraOf(kind, amount),
        row.textAt(5),
        row.optionalTextAt(6),
        "");
  }
}
