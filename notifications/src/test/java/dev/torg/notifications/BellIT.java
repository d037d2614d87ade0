package dev.torg.notifications;

import static dev.torg.notifications.BellFixture.about;
import static dev.torg.notifications.BellFixture.content;
import static dev.torg.notifications.BellFixture.reader;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.api.v1.ListNotificationsResponse;
import dev.torg.api.v1.Notification;
import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.testkit.TestDatabase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class BellIT {
  @RegisterExtension static final TestDatabase TABLES = BellFixture.tables();

  private static final BellFixture FIXTURE = new BellFixture(TABLES);

  @AfterAll
  static void close() {
    FIXTURE.close();
  }

  @Test
  void write_severalRecipients_eachIsNotifiedAndCounted() {
    String one = reader();
    String other = reader();
    FIXTURE.write(
        about(one, "a", NotificationTopics.SEARCHES),
        about(other, "b", NotificationTopics.PRICES),
        about(one, "c", NotificationTopics.PRICES));
    assertThat(FIXTURE.titles(one)).containsExactly("c", "a");
    assertThat(FIXTURE.unread(one).getByTopicMap())
        .isEqualTo(Map.of(NotificationTopics.SEARCHES, 1, NotificationTopics.PRICES, 1));
    assertThat(FIXTURE.unread(other).getTotal()).isEqualTo(1);
  }

  @Test
  void write_sameKeyTwice_keepsFirstAndCountsOnce() {
    String reader = reader();
    FIXTURE.write(about(reader, "k", NotificationTopics.SEARCHES));
    WrittenNotifications again =
        FIXTURE.write(
            about(reader, "k", NotificationTopics.PRICES),
            about(reader, "new", NotificationTopics.PRICES));
    assertThat(again.duplicates()).isEqualTo(1);
    assertThat(again.entries()).extracting(WrittenNotifications.Entry::key).containsExactly("new");
    assertThat(FIXTURE.unread(reader).getByTopicMap())
        .isEqualTo(Map.of(NotificationTopics.SEARCHES, 1, NotificationTopics.PRICES, 1));
  }

  @Test
  void write_sameKeyTwiceInOneCall_countsOnce() {
    String reader = reader();
    FIXTURE.write(
        about(reader, "k", NotificationTopics.SEARCHES),
        about(reader, "k", NotificationTopics.SEARCHES));
    assertThat(FIXTURE.unread(reader).getTotal()).isEqualTo(1);
  }

  @Test
  void write_rolledBack_leavesNothing() {
    String reader = reader();
    assertThatThrownBy(
            () ->
                FIXTURE.database.inTransaction(
                    tx -> {
                      FIXTURE.bell.write(
                          tx, List.of(about(reader, "k", NotificationTopics.SEARCHES)));
                      throw Failure.conflict("test", "no");
                    }))
        .isInstanceOf(Failure.class);
    assertThat(FIXTURE.list(reader)).isEmpty();
    assertThat(FIXTURE.unread(reader).getTotal()).isZero();
  }

  @Test
  void grow_again_isOneEntryUnreadOnce() {
    String reader = reader();
    grow(reader, "storm/s1/10", 3);
    grow(reader, "storm/s1/10", 2);
    assertThat(FIXTURE.titles(reader)).containsExactly("5 new offers");
    assertThat(FIXTURE.unread(reader).getTotal()).isEqualTo(1);
  }

  @Test
  void grow_afterItWasRead_isUnreadAgain() {
    String reader = reader();
    grow(reader, "storm", 1);
    FIXTURE.service.markRead(reader, List.of(), "", true);
    grow(reader, "storm", 1);
    assertThat(FIXTURE.unread(reader).getTotal()).isEqualTo(1);
    assertThat(FIXTURE.list(reader).getFirst().getRead()).isFalse();
  }

  @Test
  void write_entriesAndGrowthsAtOnce_allAreThereAndCounted() {
    String reader = reader();
    String other = reader();
    grow(reader, "s", 1);
    WrittenNotifications written =
        FIXTURE.database.inTransaction(
            tx ->
                FIXTURE.bell.write(
                    tx,
                    List.of(
                        about(reader, "x", NotificationTopics.SEARCHES),
                        about(reader, "x", NotificationTopics.SEARCHES),
                        about(reader, "y", NotificationTopics.SEARCHES),
                        growth(reader, "s", 2),
                        growth(other, "s", 4))));
    assertThat(FIXTURE.titles(reader)).containsExactlyInAnyOrder("x", "y", "3 new offers");
    assertThat(FIXTURE.titles(other)).containsExactly("4 new offers");
    assertThat(FIXTURE.unread(reader).getTotal()).isEqualTo(3);
    assertThat(written.duplicates()).isEqualTo(1);
    assertThat(FIXTURE.list(reader)).extracting(n -> n.getId()).doesNotHaveDuplicates();
  }

  @Test
  void homesWithUnread_someRead_onlyTheOthers() {
    OfferId offer = OfferId.random(new Home(9));
    String reader = reader();
    String done = reader();
    FIXTURE.write(
        about(reader, "o", NotificationTopics.SEARCHES, offer),
        about(done, "o", NotificationTopics.SEARCHES, offer));
    FIXTURE.service.markRead(done, List.of(), "", true);
    List<Home> homes = FIXTURE.database.read(tx -> FIXTURE.bell.homesWithUnread(tx, offer));
    assertThat(homes).containsExactly(Home.of(reader));
  }

  @Test
  void withdraw_unreadOfOffer_goesAndCountsFollow() {
    Home home = new Home(7);
    OfferId offer = OfferId.random(home);
    String reader = reader();
    FIXTURE.write(
        about(reader, "x", NotificationTopics.SEARCHES, offer),
        about(reader, "y", NotificationTopics.SEARCHES));
    WithdrawnNotifications taken =
        FIXTURE.database.inTransaction(
            tx -> FIXTURE.bell.withdraw(tx, Home.of(reader), offer, 100));
    assertThat(taken).isEqualTo(new WithdrawnNotifications(1, Set.of(reader)));
    assertThat(taken.mayBeMore()).isTrue();
    assertThat(FIXTURE.titles(reader)).containsExactly("y");
    assertThat(FIXTURE.unread(reader).getTotal()).isEqualTo(1);
  }

  @Test
  void withdraw_readEntry_stays() {
    OfferId offer = OfferId.random(new Home(7));
    String reader = reader();
    FIXTURE.write(about(reader, "x", NotificationTopics.SEARCHES, offer));
    FIXTURE.service.markRead(reader, List.of(), "", true);
    WithdrawnNotifications taken =
        FIXTURE.database.inTransaction(
            tx -> FIXTURE.bell.withdraw(tx, Home.of(reader), offer, 100));
    assertThat(taken).isEqualTo(new WithdrawnNotifications(0, Set.of()));
    assertThat(taken.mayBeMore()).isFalse();
    assertThat(FIXTURE.titles(reader)).containsExactly("x");
  }

  @Test
  void list_pages_areStableWhileMoreArrive() {
    String reader = reader();
    IntStream.range(0, 5)
        .forEach(i -> FIXTURE.write(about(reader, "n" + i, NotificationTopics.NEWS)));
    ListNotificationsResponse first = FIXTURE.service.list(reader, List.of(), false, 2, "");
    FIXTURE.write(about(reader, "later", NotificationTopics.NEWS));
    List<String> rest = new ArrayList<>();
    String token = first.getNextPageToken();
    while (!token.isEmpty()) {
      ListNotificationsResponse page = FIXTURE.service.list(reader, List.of(), false, 2, token);
      page.getNotificationsList().forEach(n -> rest.add(n.getTitle()));
      token = page.getNextPageToken();
    }
    assertThat(rest).containsExactly("n2", "n1", "n0");
  }

  @Test
  void list_topicsAndUnreadOnly_filter() {
    String reader = reader();
    FIXTURE.write(
        about(reader, "a", NotificationTopics.SEARCHES),
        about(reader, "b", NotificationTopics.PRICES),
        about(reader, "c", NotificationTopics.NEWS));
    FIXTURE.service.markRead(reader, List.of(), NotificationTopics.PRICES, false);
    assertThat(titles(FIXTURE.service.list(reader, List.of("prices", "news"), false, 0, "")))
        .containsExactly("c", "b");
    assertThat(titles(FIXTURE.service.list(reader, List.of("prices", "news"), true, 0, "")))
        .containsExactly("c");
    assertThatThrownBy(() -> FIXTURE.service.list(reader, List.of("what"), false, 0, ""))
        .isInstanceOf(Failure.class);
  }

  @Test
  void markRead_sameIdsAtOnce_countsOnce() {
    String reader = reader();
    IntStream.range(0, 20)
        .forEach(i -> FIXTURE.write(about(reader, "n" + i, NotificationTopics.NEWS)));
    List<String> ids = FIXTURE.list(reader).stream().map(Notification::getId).limit(10).toList();
    List<CompletableFuture<Void>> marks =
        IntStream.range(0, 6)
            .mapToObj(
                i ->
                    CompletableFuture.runAsync(
                        () -> FIXTURE.service.markRead(reader, ids, "", false)))
            .toList();
    marks.forEach(CompletableFuture::join);
    assertThat(FIXTURE.unread(reader).getTotal()).isEqualTo(10);
  }

  @Test
  void markRead_notExactlyOneWay_isInvalid() {
    String reader = reader();
    assertThatThrownBy(() -> FIXTURE.service.markRead(reader, List.of(), "", false))
        .isInstanceOf(Failure.class);
    assertThatThrownBy(() -> FIXTURE.service.markRead(reader, List.of("1"), "news", false))
        .isInstanceOf(Failure.class);
  }

  /// Random writes, growths, readings and withdrawals by several threads: the counts are always
  /// those of the rows.
  @Test
  void counts_underConcurrentChanges_equalTheRows() {
    List<String> readers = List.of(reader(), reader(), reader());
    OfferId offer = OfferId.random(new Home(9));
    List<CompletableFuture<Void>> workers =
        IntStream.range(0, 4)
            .mapToObj(seed -> CompletableFuture.runAsync(() -> change(readers, offer, seed)))
            .toList();
    workers.forEach(CompletableFuture::join);
    for (String reader : readers) {
      Map<String, Integer> expected = new HashMap<>();
      unreadPages(reader).forEach(n -> expected.merge(n.getTopic(), 1, Integer::sum));
      assertThat(FIXTURE.unread(reader).getByTopicMap()).isEqualTo(expected);
    }
  }

  private static List<Notification> unreadPages(String reader) {
    return FIXTURE.service.list(reader, List.of(), true, 200, "").getNotificationsList();
  }

  private static void change(List<String> readers, OfferId offer, int seed) {
    Random random = new Random(seed);
    List<String> topics = List.of(NotificationTopics.NEWS, NotificationTopics.PRICES);
    for (int i = 0; i < 60; i++) {
      String reader = readers.get(random.nextInt(readers.size()));
      String topic = topics.get(random.nextInt(2));
      switch (random.nextInt(5)) {
        case 0, 1 ->
            FIXTURE.write(
                about(
                    reader, "k" + random.nextInt(100), topic, random.nextBoolean() ? offer : null),
                about(readers.get(random.nextInt(3)), "k" + random.nextInt(100), topic));
        case 2 -> grow(reader, "g" + random.nextInt(3), 1);
        case 3 -> FIXTURE.service.markRead(reader, List.of(), topic, false);
        default ->
            FIXTURE.database.inTransaction(
                tx -> FIXTURE.bell.withdraw(tx, Home.of(reader), offer, 2));
      }
    }
  }

  private static void grow(String reader, String key, int by) {
    FIXTURE.database.inTransaction(tx -> FIXTURE.bell.write(tx, List.of(growth(reader, key, by))));
  }

  private static AggregatedNotification growth(String reader, String key, int by) {
    return new AggregatedNotification(
        reader,
        key,
        NotificationTopics.SEARCHES,
        BellFixture.NOW,
        by,
        size -> content(size + " new offers"));
  }

  private static List<String> titles(ListNotificationsResponse page) {
    return page.getNotificationsList().stream().map(Notification::getTitle).toList();
  }
}
