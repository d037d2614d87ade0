package dev.torg.alerts.digest;

import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertContent;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// SQL over the items that wait for digests. Transactions that add items and transactions that send them
/// lock the recipient's row in `digest_due`, so nothing is added while a digest is read and sent.
public final class DigestStore {
  private static final BatchColumns<String> OWNERS =
      BatchColumns.<String>of(Home::of).texts("owner", owner -> owner);

  private static final BatchColumns<Item> ITEM_KEYS =
      BatchColumns.<Item>of(item -> item.alert().home())
          .texts("owner", Item::owner)
          .longs("offer_id", item -> item.offer().number())
          .ints("kind", Item::kind);

  /// Locks an existing row too.
  private static final BatchSql<Due> DUE_FROM =
      BatchColumns.of(Due::home)
          .texts("owner", Due::owner)
          .instants("since", Due::since)
          .instants("run_at", Due::runAt)
          .sql(
              """
              INSERT INTO digest_due (home, owner, since, run_at)
              SELECT k.home, k.owner, k.since, k.run_at
                FROM :rows(k)
               ORDER BY k.home, k.owner
              ON CONFLICT (home, owner) DO UPDATE SET run_at = digest_due.run_at
              """);

  private static final BatchSql<Item> ADD =
      ITEM_KEYS
          .instants("at", Item::at)
          .ints("offers", Item::offers)
          .bytes("body", item -> item.alert().toBytes())
          .sql(
              """
              INSERT INTO digest (home, owner, offer_id, kind, at, offers, body)
              SELECT k.home, k.owner, k.offer_id, k.kind, k.at, k.offers, k.body
                FROM :rows(k)
               ORDER BY k.home, k.owner, k.offer_id, k.kind
              ON CONFLICT (home, owner, offer_id, kind) DO UPDATE
                 SET at = excluded.at, body = excluded.body,
                     offers = greatest(digest.offers, excluded.offers)
              """);

  /// One index lookup per home.
  private static final BatchSql<Home> HOMES_DUE =
      BatchColumns.<Home>of(home -> home)
          .sql(
              """
              SELECT k.home FROM :rows(k)
               WHERE EXISTS (SELECT FROM digest_due d
                              WHERE d.home = k.home AND d.run_at <= ? AND :shard(d))
              """);

  /// The digest waits while an identity is merged into its owner ([DigestMergeStore]).
  private static final String NEXT =
      """
      SELECT d.owner, d.since, d.run_at FROM digest_due d
       WHERE d.home = ANY (?::int[]) AND d.run_at <= ?
         AND NOT EXISTS (SELECT FROM digest_move m
                          WHERE m.home = d.home AND m.owner = d.owner AND m.open)
       ORDER BY d.run_at LIMIT ?
      """;

  private static final BatchSql<String> LOCK =
      OWNERS.sql(
          """
          SELECT d.owner, d.since, d.run_at FROM :batch(k)
            JOIN digest_due d ON d.home = k.home AND d.owner = k.owner
           WHERE d.run_at <= ? AND :shard(d) ORDER BY d.home, d.owner FOR UPDATE OF d
          """);

  private static final BatchSql<String> ITEMS =
      OWNERS.sql(
          """
          SELECT d.owner, d.at, d.body, d.offers FROM :batch(k)
            JOIN digest d ON d.home = k.home AND d.owner = k.owner
           WHERE :shard(d) ORDER BY d.home, d.owner, d.at
          """);

  private static final String SELECT_PAGE =
      """
      SELECT d.owner, d.at, d.body, d.offers FROM digest d
       WHERE d.home = ? AND d.owner = ? AND (d.offer_id, d.kind) > (?, ?)
       ORDER BY d.offer_id, d.kind LIMIT ?
      """;

  private static final BatchSql<String> SIZES =
      OWNERS.sql(
          """
          SELECT d.owner, count(*) FROM :batch(k)
            JOIN digest d ON d.home = k.home AND d.owner = k.owner
           WHERE :shard(d) GROUP BY d.owner
          """);

  private static final BatchSql<Item> REMOVE =
      ITEM_KEYS.sql(
          """
          DELETE FROM digest d USING :batch(k)
           WHERE d.home = k.home AND d.owner = k.owner AND d.offer_id = k.offer_id
             AND d.kind = k.kind AND :shard(d)
          """);

  private static final BatchSql<String> REMOVE_DUE =
      OWNERS.sql(
          """
          DELETE FROM digest_due d USING :batch(k)
           WHERE d.home = k.home AND d.owner = k.owner AND :shard(d)
          """);

  private static final String RUN_AT =
      "UPDATE digest_due SET run_at = ? WHERE home = ? AND owner = ?";

  private static final String RESCHEDULE = RUN_AT + " AND run_at > ?";

  /// A recipient's digest: since when it collects items, and when it is due.
  public record Due(String owner, Instant since, Instant runAt) {
    Home home() {
      return Home.of(owner);
    }
  }

  /// An item: an alert with the reasons that matched. An item of a storm stands for many offers.
  public record Item(Instant at, Alert alert, int offers) {
    public Item(Instant at, Alert alert) {
      this(at, alert, 1);
    }

    public boolean isStorm() {
      return alert.content().isStorm();
    }

    public String owner() {
      return alert.recipient();
    }

    public OfferId offer() {
      return alert.content().offer();
    }

    int kind() {
      return isStorm() ? 3 : alert.content().isNew() ? 1 : 2;
    }

    public Item to(String login) {
      return new Item(at, alert.to(login), offers);
    }

    /// What remains when the offer is not active any more: of a storm the other offers, without this
    /// title.
    Optional<Item> withoutOffer() {
      if (!isStorm() || offers == 1) {
        return Optional.empty();
      }
      AlertContent content = alert.content();
      AlertContent untitled =
          AlertContent.ofStorm(
              content.offer(), content.seller(), content.activatedAt(), content.causedAt(), "");
      return Optional.of(
          new Item(at, new Alert(alert.recipient(), untitled, alert.reasons()), offers - 1));
    }
  }

  /// Adds items, and due times for recipients who have none.
  public void add(Tx tx, Collection<Due> dues, Collection<Item> items) throws SQLException {
    if (items.isEmpty()) {
      return;
    }
    TreeMap<String, Due> byOwner = new TreeMap<>();
    dues.forEach(due -> byOwner.put(due.owner(), due));
    tx.sql(DUE_FROM, List.copyOf(byOwner.values())).update();
    List<Item> sorted = new ArrayList<>(items);
    sorted.sort(Comparator.comparing(Item::owner).thenComparing(Item::offer));
    tx.sql(ADD, sorted).update();
  }

  List<Home> homesDue(Tx tx, List<Home> homes, Instant now) throws SQLException {
    return tx.sql(HOMES_DUE, homes).set(now).list(row -> row.homeAt(1));
  }

  List<Due> next(Tx tx, List<Home> homes, Instant now, int limit) throws SQLException {
    return tx.sql(NEXT).ints(homes, Home::number).set(now).set(limit).list(DigestStore::due);
  }

  /// Locks the digests that are still due.
  List<Due> lock(Tx tx, List<String> owners, Instant now) throws SQLException {
    return tx.sql(LOCK, owners).set(now).list(DigestStore::due);
  }

  /// The number of items in each digest.
  Map<String, Long> sizes(Tx tx, List<String> owners) throws SQLException {
    Map<String, Long> sizes = new HashMap<>();
    tx.sql(SIZES, owners).each(row -> sizes.put(row.textAt(1), row.longAt(2)));
    return sizes;
  }

  /// The items after the given one: of a single owner a page in the order of their keys; of several
  /// owners, whose digests are small, all items.
  public List<Item> page(Tx tx, List<String> owners, @Nullable Item after, int limit)
      throws SQLException {
    if (owners.size() == 1) {
      return page(tx, owners.getFirst(), after, limit);
    }
    return after != null ? List.of() : tx.sql(ITEMS, owners).list(DigestStore::item);
  }

  private static List<Item> page(Tx tx, String owner, @Nullable Item after, int limit)
      throws SQLException {
    return tx.sql(SELECT_PAGE)
        .set(Home.of(owner))
        .set(owner)
        .set(after == null ? 0L : after.offer().number())
        .set(after == null ? 0 : after.kind())
        .set(limit)
        .list(DigestStore::item);
  }

  public void remove(Tx tx, List<Item> items) throws SQLException {
    tx.sql(REMOVE, items).update();
  }

  public void removeDue(Tx tx, List<String> owners) throws SQLException {
    tx.sql(REMOVE_DUE, owners).update();
  }

  void runAt(Tx tx, String owner, Instant at) throws SQLException {
    tx.sql(RUN_AT).set(at).set(Home.of(owner)).set(owner).update();
  }

  /// Changes when the digest is sent, unless it is due.
  void reschedule(Tx tx, String owner, Instant now, Instant at) throws SQLException {
    tx.sql(RESCHEDULE).set(at).set(Home.of(owner)).set(owner).set(now).update();
  }

  static Item item(Row row) throws SQLException {
    return new Item(row.instantAt(2), Alert.stored(row.bytesAt(3)), row.intAt(4));
  }

  private static Due due(Row row) throws SQLException {
    return new Due(row.textAt(1), row.instantAt(2), row.instantAt(3));
  }
}
