package dev.torg.notifications;

import static dev.torg.notifications.BellFixture.about;
import static dev.torg.notifications.BellFixture.content;
import static dev.torg.notifications.BellFixture.recipient;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.notifications.bell.BellFilter;
import dev.torg.notifications.bell.BellReader;
import dev.torg.notifications.bell.BellStore;
import dev.torg.notifications.bell.PurgeOldEntriesJob;
import dev.torg.notifications.bell.RemoveExpiredEntriesJob;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.lease.Lease;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Entries that expire, and entries that are deleted by age.
class BellExpiryIT {
  @RegisterExtension static final TestDatabase TABLES = BellFixture.tables();

  private static final Duration RETENTION = Duration.ofDays(180);
  private static final MovableClock CLOCK = new MovableClock();
  private static final BellFixture FIXTURE = new BellFixture(TABLES, CLOCK);
  private static final Set<String> CHANGED = new HashSet<>();
  private static final RemoveExpiredEntriesJob EXPIRY =
      new RemoveExpiredEntriesJob(FIXTURE.database, CHANGED::addAll);
  private static final PurgeOldEntriesJob PURGE =
      new PurgeOldEntriesJob(FIXTURE.database, RETENTION, CHANGED::addAll);
  private static TestLeases leases;

  @BeforeAll
  static void open() {
    leases = new TestLeases(FIXTURE.database, "test.expiry");
  }

  @AfterAll
  static void close() {
    leases.close();
    FIXTURE.close();
  }

  private static NewNotification expiring(String recipient, String key, Duration after) {
    DeliveryRequest delivery =
        new DeliveryRequest(
            Set.of(),
            Optional.of(CLOCK.instant().plus(after)),
            Map.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    return new NewNotification(
        recipient, key, NotificationTopics.NEWS, CLOCK.instant(), null, content(key), delivery);
  }

  private static void aggregate(String recipient, Duration expiresAfter) {
    NewNotification like = expiring(recipient, "storm", expiresAfter);
    AggregatedNotification storm =
        new AggregatedNotification(
            recipient,
            like.key(),
            like.topic(),
            like.at(),
            1,
            size -> content("storm " + size),
            like.delivery());
    FIXTURE.database.inTransaction(tx -> FIXTURE.bell.write(tx, List.of(storm)));
  }

  private static void removeExpired(String recipient) {
    Lease lease = leases.of(Home.of(recipient));
    boolean more = true;
    while (more) {
      more = EXPIRY.run(lease, CLOCK.instant());
    }
  }

  private static void purge(String recipient) {
    Lease lease = leases.of(Home.of(recipient));
    boolean more = true;
    while (more) {
      more = PURGE.run(lease, CLOCK.instant());
    }
  }

  private static List<Home> due(String recipient) {
    return EXPIRY.due(List.of(Home.of(recipient)), CLOCK.instant());
  }

  private static long rows(String table, String recipient) {
    return FIXTURE.database.read(
        tx ->
            tx.sql("SELECT count(*) FROM " + table + " WHERE home = ? AND owner = ?")
                .set(Home.of(recipient))
                .set(recipient)
                .first(row -> row.longAt(1))
                .orElse(0L));
  }

  private static int storedUnread(String recipient) {
    return FIXTURE.database.read(
        tx ->
            tx.sql("SELECT coalesce(sum(count), 0)::int FROM unread WHERE home = ? AND owner = ?")
                .set(Home.of(recipient))
                .set(recipient)
                .first(row -> row.intAt(1))
                .orElse(0));
  }

  @Test
  void read_entryHasExpired_isNeitherShownNorCountedBeforeTheJobRuns() {
    String recipient = recipient();
    FIXTURE.write(
        expiring(recipient, "soon", Duration.ofHours(1)),
        expiring(recipient, "later", Duration.ofHours(2)),
        about(recipient, "never", NotificationTopics.PRICES));
    CLOCK.advance(Duration.ofHours(1).minusMillis(1));
    assertThat(FIXTURE.unread(recipient).getTotal()).isEqualTo(3);
    assertThat(due(recipient)).isEmpty();
    CLOCK.advance(Duration.ofMillis(1));
    assertThat(FIXTURE.titles(recipient)).containsExactlyInAnyOrder("later", "never");
    assertThat(FIXTURE.unread(recipient).getByTopicMap())
        .isEqualTo(Map.of(NotificationTopics.NEWS, 1, NotificationTopics.PRICES, 1));
    List<BellReader.Entry> since =
        FIXTURE.database.read(tx -> new BellReader(CLOCK).since(tx, recipient, 0, 10));
    assertThat(since)
        .extracting(entry -> entry.notification().getTitle())
        .containsExactlyInAnyOrder("later", "never");
    BellFilter news = new BellFilter(List.of("news"), true, Optional.empty());
    assertThat(FIXTURE.service.list(recipient, news, 10, "").getNotificationsList()).hasSize(1);
    assertThat(due(recipient)).containsExactly(Home.of(recipient));
  }

  @Test
  void run_expired_areRemovedWithTheirCounts() {
    String recipient = recipient();
    FIXTURE.write(
        expiring(recipient, "unread", Duration.ofHours(1)),
        expiring(recipient, "read", Duration.ofHours(1)),
        about(recipient, "never", NotificationTopics.NEWS));
    String read =
        FIXTURE.list(recipient).stream()
            .filter(entry -> entry.getTitle().equals("read"))
            .findFirst()
            .orElseThrow()
            .getId();
    FIXTURE.service.markRead(recipient, List.of(read), "", false);
    CLOCK.advance(Duration.ofHours(1));
    CHANGED.clear();
    removeExpired(recipient);
    assertThat(rows("notification", recipient)).isEqualTo(1);
    assertThat(storedUnread(recipient)).isEqualTo(1);
    assertThat(FIXTURE.unread(recipient).getTotal()).isEqualTo(1);
    assertThat(CHANGED).contains(recipient);
    assertThat(due(recipient)).isEmpty();
  }

  /// More than a page.
  @Test
  void run_manyExpired_areAllRemoved() {
    String recipient = recipient();
    List<NewNotification> entries = new ArrayList<>();
    IntStream.range(0, 1_100)
        .forEach(i -> entries.add(expiring(recipient, "n" + i, Duration.ofHours(1))));
    FIXTURE.write(entries.toArray(NewNotification[]::new));
    CLOCK.advance(Duration.ofHours(1));
    removeExpired(recipient);
    assertThat(rows("notification", recipient)).isZero();
    assertThat(storedUnread(recipient)).isZero();
  }

  /// A producer may deliver a message again after its entry expired and was removed.
  @Test
  void write_afterExpiry_writesNothing() {
    String recipient = recipient();
    NewNotification entry = expiring(recipient, "once", Duration.ofHours(1));
    FIXTURE.write(entry);
    CLOCK.advance(Duration.ofHours(1));
    removeExpired(recipient);
    WrittenNotifications again = FIXTURE.write(entry);
    assertThat(again.entries()).isEmpty();
    assertThat(rows("notification", recipient)).isZero();
    assertThat(storedUnread(recipient)).isZero();
  }

  @Test
  void write_aggregatedAgainWithLaterExpiry_expiresWithTheLast() {
    String recipient = recipient();
    aggregate(recipient, Duration.ofHours(1));
    aggregate(recipient, Duration.ofHours(3));
    CLOCK.advance(Duration.ofHours(2));
    removeExpired(recipient);
    assertThat(FIXTURE.titles(recipient)).containsExactly("storm 2");
    CLOCK.advance(Duration.ofHours(1));
    assertThat(FIXTURE.titles(recipient)).isEmpty();
    removeExpired(recipient);
    assertThat(storedUnread(recipient)).isZero();
  }

  @Test
  void purge_afterTheRetention_deletesReadAndUnreadWithTheirCounts() {
    String recipient = recipient();
    FIXTURE.write(about(recipient, "old", NotificationTopics.NEWS));
    FIXTURE.service.markRead(recipient, List.of(), "", true);
    FIXTURE.write(about(recipient, "old and unread", NotificationTopics.NEWS));
    CLOCK.advance(RETENTION.minusDays(2));
    FIXTURE.write(about(recipient, "new", NotificationTopics.NEWS));
    purge(recipient);
    assertThat(FIXTURE.titles(recipient)).hasSize(3);
    CLOCK.advance(Duration.ofDays(3));
    purge(recipient);
    assertThat(FIXTURE.titles(recipient)).containsExactly("new");
    assertThat(storedUnread(recipient)).isEqualTo(1);
    assertThat(rows("notification", recipient)).isEqualTo(1);
  }

  /// Age counts from the last change.
  @Test
  void purge_aggregatedEntryThatHasGrown_isKept() {
    String recipient = recipient();
    aggregate(recipient, Duration.ofDays(1_000));
    CLOCK.advance(RETENTION.minusDays(1));
    aggregate(recipient, Duration.ofDays(1_000));
    CLOCK.advance(Duration.ofDays(2));
    purge(recipient);
    assertThat(FIXTURE.titles(recipient)).containsExactly("storm 2");
  }

  /// More than a page of entries of one owner, and more owners than are walked at once.
  @Test
  void purge_manyEntriesAndOwners_areAllWalked() {
    String recipient = recipient();
    List<NewNotification> entries = new ArrayList<>();
    IntStream.range(0, 1_100)
        .forEach(i -> entries.add(about(recipient, "n" + i, NotificationTopics.NEWS)));
    FIXTURE.write(entries.toArray(NewNotification[]::new));
    bellsBefore(recipient, 2_500);
    CLOCK.advance(RETENTION.plusDays(1));
    purge(recipient);
    assertThat(rows("notification", recipient)).isZero();
    assertThat(storedUnread(recipient)).isZero();
    assertThat(PURGE.due(List.of(Home.of(recipient)), CLOCK.instant())).isEmpty();
    CLOCK.advance(Duration.ofDays(1));
    assertThat(PURGE.due(List.of(Home.of(recipient)), CLOCK.instant()))
        .containsExactly(Home.of(recipient));
  }

  /// Bells whose owners are before the recipient in their home.
  private static void bellsBefore(String recipient, int count) {
    Home home = Home.of(recipient);
    Set<String> owners =
        IntStream.iterate(0, i -> i + 1)
            .mapToObj(i -> "anonymous:" + i)
            .filter(owner -> Home.of(owner).equals(home))
            .limit(count)
            .collect(Collectors.toSet());
    FIXTURE.database.inTransaction(
        tx -> new BellStore().lockAndAllocateIds(tx, owners, EpochMicros.of(CLOCK.instant()), 1));
  }
}
