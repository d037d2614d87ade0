package dev.torg.offers.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.offers.ActivatedPage;
import dev.torg.offers.ActivationCursor;
import dev.torg.offers.ActiveOfferFilter;
import dev.torg.offers.lifecycle.StoredOffer;
import dev.torg.offers.store.OfferStore.LockedRow;
import dev.torg.offers.store.OfferStore.OfferRow;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.ShardMap;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The contract of the store of main rows, whether or not its tables are distributed.
abstract class OfferStoreContract {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final OfferStore store = new OfferStore();
  private final ActivatedStore activated = new ActivatedStore();

  abstract Database database();

  /// The home of the n-th row of a batch. Where tables are distributed, they are of one shard.
  private Home home(int number) {
    ShardMap shards = database().shards();
    List<Home> homes = shards.homes(shards.shardOf(new Home(Home.COUNT - 1)));
    return homes.get(Math.floorMod(-1 - number * 7, homes.size()));
  }

  @Test
  void insert_newRows_canBeRead() {
    List<OfferRow> rows = rows(5);
    assertThat(insert(rows)).isEqualTo(Set.copyOf(ids(rows)));
    List<LockedRow> stored = sorted(lock(ids(rows)));
    assertThat(stored).extracting(LockedRow::id).containsExactlyElementsOf(ids(rows));
    for (int i = 0; i < rows.size(); i++) {
      assertThat(stored.get(i).stored(stored.get(i).body())).isEqualTo(rows.get(i).offer());
      assertThat(stored.get(i).presets()).isEqualTo(rows.get(i).presets());
      assertThat(stored.get(i).month()).isNull();
    }
  }

  @Test
  void insert_idInUse_keepsFirstAndInsertsOthers() {
    List<OfferRow> rows = rows(3);
    insert(rows.subList(0, 1));
    List<OfferRow> changed = rows.stream().map(row -> changed(row, "A second owner")).toList();
    assertThat(insert(changed)).isEqualTo(Set.copyOf(ids(rows.subList(1, 3))));
    assertThat(title(rows.getFirst())).isEqualTo("Offer 0");
    assertThat(title(rows.get(1))).isEqualTo("A second owner");
  }

  @Test
  void insert_noRows_insertsNothing() {
    assertThat(insert(List.of())).isEmpty();
  }

  @Test
  void lock_someMissing_findsTheOthersInTheOrderOfKeys() {
    List<OfferRow> rows = rows(4);
    insert(rows.subList(0, 3));
    List<OfferId> ids = ids(rows).reversed();
    assertThat(lock(ids))
        .extracting(LockedRow::id)
        .containsExactlyElementsOf(
            ids(rows.subList(0, 3)).stream()
                .sorted(
                    Comparator.comparing((OfferId id) -> id.home().number())
                        .thenComparing(OfferId::number))
                .toList());
  }

  @Test
  void lock_heldByAnotherTransaction_timesOut() {
    List<OfferRow> rows = rows(2);
    insert(rows);
    database()
        .inTransaction(
            tx -> {
              store.lock(tx, ids(rows));
              assertThatThrownBy(() -> lock(ids(rows.subList(1, 2))))
                  .isInstanceOfSatisfying(
                      Failure.class,
                      failure -> assertThat(failure.kind()).isEqualTo(Failure.Kind.UNAVAILABLE));
              return true;
            });
  }

  @Test
  void read_currentSeqCached_omitsBody() {
    List<OfferRow> rows = rows(2);
    insert(rows);
    OfferId cached = rows.getFirst().offer().id();
    List<LockedRow> stored =
        sorted(
            database()
                .read(
                    tx ->
                        store.read(
                            tx,
                            ids(rows),
                            id -> id.equals(cached) ? rows.getFirst().offer().seq() : 0)));
    assertThat(stored.getFirst().body()).isNull();
    assertThat(stored.getFirst().seq()).isEqualTo(rows.getFirst().offer().seq());
    assertThat(stored.getLast().body()).isEqualTo(rows.getLast().body());
  }

  @Test
  void update_someRows_leavesTheOthersAlone() {
    List<OfferRow> rows = rows(3);
    insert(rows);
    List<OfferRow> changed =
        rows.subList(0, 2).stream().map(row -> changed(row, "Changed")).toList();
    update(changed);
    assertThat(rows).extracting(this::title).containsExactly("Changed", "Changed", "Offer 2");
    assertThat(status(rows.getFirst())).isEqualTo(Status.SOLD.getNumber());
    assertThat(status(rows.getLast())).isEqualTo(Status.ACTIVE.getNumber());
  }

  /// The smaller update applies to changes of unindexed columns.
  @Test
  void updateBody_keepsIndexedColumns() {
    List<OfferRow> rows = rows(2);
    insert(rows);
    updateBody(List.of(changed(rows.getFirst(), "Changed")));
    assertThat(rows).extracting(this::title).containsExactly("Changed", "Offer 1");
    assertThat(status(rows.getFirst())).isEqualTo(Status.ACTIVE.getNumber());
    assertThat(lock(ids(rows.subList(0, 1))).getFirst().seq())
        .isEqualTo(rows.getFirst().offer().seq() + 1);
  }

  @Test
  void tokens_afterAnUpdate_areOfTheLastWriter() {
    List<OfferRow> rows = rows(2);
    insert(rows);
    update(List.of(changed(rows.getFirst(), "Changed")));
    var tokens = database().read(tx -> store.tokens(tx, ids(rows)));
    assertThat(tokens.get(rows.getFirst().offer().id()).token())
        .isEqualTo(rows.getFirst().token() + 1);
    assertThat(tokens.get(rows.getLast().offer().id()).token()).isEqualTo(rows.getLast().token());
  }

  /// Three of them were activated in the same microsecond.
  @Test
  void activated_pageByPage_returnsEachOnceInOrder() {
    Instant time = START.plusSeconds(1_000);
    List<OfferRow> rows =
        IntStream.range(0, 6)
            .mapToObj(i -> row(i, time.plusNanos(i / 3 * 1_000L), "seller:" + i % 2))
            .toList();
    insert(rows);
    List<String> inOrder =
        rows.stream()
            .sorted(
                Comparator.comparing(
                        (OfferRow row) -> EpochMicros.of(row.offer().shown().getActivatedAt()))
                    .thenComparing(row -> row.offer().id()))
            .map(row -> row.offer().id().toString())
            .toList();
    assertThat(paged(time)).containsExactlyElementsOf(inOrder);
  }

  private List<String> paged(Instant from) {
    List<String> seen = new ArrayList<>();
    ActivatedPage page = page(ActivationCursor.before(from));
    page.offers().forEach(offer -> seen.add(offer.getId()));
    while (!page.last()) {
      page = page(page.next());
      page.offers().forEach(offer -> seen.add(offer.getId()));
    }
    return seen;
  }

  private ActivatedPage page(ActivationCursor after) {
    return database().read(tx -> activated.page(tx, ActiveOfferFilter.ALL, after, 2));
  }

  private Set<OfferId> insert(List<OfferRow> rows) {
    return database().inTransaction(tx -> store.insert(tx, rows));
  }

  private List<LockedRow> lock(List<OfferId> ids) {
    return database().inTransaction(tx -> store.lock(tx, ids));
  }

  private void update(List<OfferRow> rows) {
    database()
        .inTransaction(
            tx -> {
              store.update(tx, rows);
              return true;
            });
  }

  private void updateBody(List<OfferRow> rows) {
    database()
        .inTransaction(
            tx -> {
              store.updateBody(tx, rows);
              return true;
            });
  }

  private String title(OfferRow row) {
    LockedRow lockedRow = lock(List.of(row.offer().id())).getFirst();
    return lockedRow.stored(lockedRow.body()).shown().getTitle();
  }

  private int status(OfferRow row) {
    return database()
        .read(
            tx ->
                tx.sql("SELECT status FROM offer WHERE home = ? AND id = ? AND kind = 'offer'")
                    .set(row.offer().id().home())
                    .set(row.offer().id().number())
                    .first(stored -> stored.intAt(1))
                    .orElseThrow());
  }

  private static List<LockedRow> sorted(List<LockedRow> stored) {
    return stored.stream()
        .sorted(Comparator.comparing(row -> OfferStore.parse(bodyOf(row)).getTitle()))
        .toList();
  }

  private static byte[] bodyOf(LockedRow lockedRow) {
    byte[] body = lockedRow.body();
    return body == null ? new byte[0] : body;
  }

  private static List<OfferId> ids(List<OfferRow> rows) {
    return rows.stream().map(row -> row.offer().id()).toList();
  }

  private List<OfferRow> rows(int count) {
    return IntStream.range(0, count).mapToObj(i -> row(i, START, "seller:" + i)).toList();
  }

  private OfferRow row(int number, Instant activated, String seller) {
    OfferId id = OfferId.random(home(number));
    Offer shown =
        Offer.newBuilder()
            .setId(id.toString())
            .setSellerId(seller)
            .setVersion(1)
            .setStatus(Status.ACTIVE)
            .setCategory("electronics")
            .setTitle("Offer " + number)
            .setCreatedAt(EpochMicros.timestamp(EpochMicros.of(START)))
            .setActivatedAt(EpochMicros.timestamp(EpochMicros.of(activated)))
            .build();
    StoredOffer offer = new StoredOffer(id, 100 + number, 1, shown);
    return new OfferRow(offer, 3, START.plusSeconds(number), number, shown.toByteArray());
  }

  private static OfferRow changed(OfferRow row, String title) {
    StoredOffer before = row.offer();
    Offer shown =
        before.shown().toBuilder()
            .setTitle(title)
            .setVersion(before.version() + 1)
            .setStatus(Status.SOLD)
            .build();
    StoredOffer after = new StoredOffer(before.id(), before.seq() + 1, 2, shown);
    return new OfferRow(after, 1, null, row.token() + 1, shown.toByteArray());
  }
}
