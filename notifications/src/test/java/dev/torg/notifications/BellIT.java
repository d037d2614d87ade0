package dev.torg.notifications;

import static dev.torg.notifications.BellFixture.about;
import static dev.torg.notifications.BellFixture.content;
import static dev.torg.notifications.BellFixture.recipient;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Value;
import dev.torg.api.v1.Attachment;
import dev.torg.api.v1.Button;
import dev.torg.api.v1.ListNotificationsResponse;
import dev.torg.api.v1.Notification;
import dev.torg.api.v1.OpenAction;
import dev.torg.notifications.bell.BellFilter;
import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.testkit.TestDatabase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    List<String> recipients = FIXTURE.recipientsOfOneShard(2);
    String first = recipients.getFirst();
    String other = recipients.getLast();
    FIXTURE.write(
        about(first, "a", NotificationTopics.SEARCHES),
        about(other, "b", NotificationTopics.PRICES),
        about(first, "c", NotificationTopics.PRICES));
    assertThat(FIXTURE.titles(first)).containsExactly("c", "a");
    assertThat(FIXTURE.unread(first).getByTopicMap())
        .isEqualTo(Map.of(NotificationTopics.SEARCHES, 1, NotificationTopics.PRICES, 1));
    assertThat(FIXTURE.unread(other).getTotal()).isEqualTo(1);
  }

  @Test
  void write_attachmentsAndOpenActions_areReturned() {
    String recipient = recipient();
    OpenAction open =
        OpenAction.newBuilder()
            .setWeb("https://torg.example/offers/1")
            .setAndroid("torg://offers/1")
            .setIos("torg://offers/1")
            .setType("offer")
            .setPayload(Value.newBuilder().setStringValue("1"))
            .build();
    Notification content =
        Notification.newBuilder()
            .setTitle("a")
            .addAttachments(
                Attachment.newBuilder()
                    .setKind(Attachment.Kind.VIDEO)
                    .setUrl("https://torg.example/1.mp4")
                    .setPreview("https://torg.example/1.jpg"))
            .setOpen(open)
            .addButtons(Button.newBuilder().setTitle("Show").setOpen(open))
            .build();
    FIXTURE.write(
        new NewNotification(
            recipient, "a", NotificationTopics.NEWS, BellFixture.NOW, null, content));
    Notification entry = FIXTURE.list(recipient).getFirst();
    assertThat(entry.getAttachmentsList()).isEqualTo(content.getAttachmentsList());
    assertThat(entry.getOpen()).isEqualTo(open);
    assertThat(entry.getButtonsList()).isEqualTo(content.getButtonsList());
  }

  @Test
  void write_sameKeyTwice_keepsFirstAndCountsOnce() {
    String recipient = recipient();
    FIXTURE.write(about(recipient, "k", NotificationTopics.SEARCHES));
    WrittenNotifications again =
        FIXTURE.write(
            about(recipient, "k", NotificationTopics.PRICES),
            about(recipient, "new", NotificationTopics.PRICES));
    assertThat(again.duplicates()).isEqualTo(1);
    assertThat(again.entries()).extracting(WrittenNotifications.Entry::key).containsExactly("new");
    assertThat(FIXTURE.unread(recipient).getByTopicMap())
        .isEqualTo(Map.of(NotificationTopics.SEARCHES, 1, NotificationTopics.PRICES, 1));
  }

  @Test
  void write_sameKeyTwiceInOneCall_countsOnce() {
    String recipient = recipient();
    FIXTURE.write(
        about(recipient, "k", NotificationTopics.SEARCHES),
        about(recipient, "k", NotificationTopics.SEARCHES));
    assertThat(FIXTURE.unread(recipient).getTotal()).isEqualTo(1);
  }

  @Test
  void write_rolledBack_leavesNothing() {
    String recipient = recipient();
    assertThatThrownBy(
            () ->
                FIXTURE.database.inTransaction(
                    tx -> {
                      FIXTURE.bell.write(
                          tx, List.of(about(recipient, "k", NotificationTopics.SEARCHES)));
                      throw Failure.conflict("test", "no");
                    }))
        .isInstanceOf(Failure.class);
    assertThat(FIXTURE.list(recipient)).isEmpty();
    assertThat(FIXTURE.unread(recipient).getTotal()).isZero();
  }

  @Test
  void write_aggregatedAgain_isOneEntryUnreadOnce() {
    String recipient = recipient();
    aggregate(recipient, "storm/s1/10", 3);
    aggregate(recipient, "storm/s1/10", 2);
    assertThat(FIXTURE.titles(recipient)).containsExactly("5 new offers");
    assertThat(FIXTURE.unread(recipient).getTotal()).isEqualTo(1);
  }

  @Test
  void write_aggregatedAfterItWasRead_isUnreadAgain() {
    String recipient = recipient();
    aggregate(recipient, "storm", 1);
    FIXTURE.service.markRead(recipient, List.of(), "", true);
    aggregate(recipient, "storm", 1);
    assertThat(FIXTURE.unread(recipient).getTotal()).isEqualTo(1);
    assertThat(FIXTURE.list(recipient).getFirst().getRead()).isFalse();
  }

  @Test
  void write_newAndAggregatedEntriesTogether_areAllWrittenAndCounted() {
    List<String> recipients = FIXTURE.recipientsOfOneShard(2);
    String recipient = recipients.getFirst();
    String other = recipients.getLast();
    aggregate(recipient, "s", 1);
    WrittenNotifications writtenNotifications =
        FIXTURE.database.inTransaction(
            tx ->
                FIXTURE.bell.write(
                    tx,
                    List.of(
                        about(recipient, "x", NotificationTopics.SEARCHES),
                        about(recipient, "x", NotificationTopics.SEARCHES),
                        about(recipient, "y", NotificationTopics.SEARCHES),
                        aggregated(recipient, "s", 2),
                        aggregated(other, "s", 4))));
    assertThat(FIXTURE.titles(recipient)).containsExactlyInAnyOrder("x", "y", "3 new offers");
    assertThat(FIXTURE.titles(other)).containsExactly("4 new offers");
    assertThat(FIXTURE.unread(recipient).getTotal()).isEqualTo(3);
    assertThat(writtenNotifications.duplicates()).isEqualTo(1);
    assertThat(FIXTURE.list(recipient)).extracting(n -> n.getId()).doesNotHaveDuplicates();
  }

  @Test
  void homesWithUnread_someRead_onlyTheOthers() {
    OfferId offer = OfferId.random(new Home(9));
    List<String> recipients = FIXTURE.recipientsOfOneShard(2);
    String recipient = recipients.getFirst();
    String done = recipients.getLast();
    FIXTURE.write(
        about(recipient, "o", NotificationTopics.SEARCHES, offer),
        about(done, "o", NotificationTopics.SEARCHES, offer));
    FIXTURE.service.markRead(done, List.of(), "", true);
    List<Home> homes = FIXTURE.database.read(tx -> FIXTURE.bell.homesWithUnread(tx, offer));
    assertThat(homes).containsExactly(Home.of(recipient));
  }

  @Test
  void withdraw_unreadOfOffer_isDeletedAndUncounted() {
    Home home = new Home(7);
    OfferId offer = OfferId.random(home);
    String recipient = recipient();
    FIXTURE.write(
        about(recipient, "x", NotificationTopics.SEARCHES, offer),
        about(recipient, "y", NotificationTopics.SEARCHES));
    WithdrawnNotifications withdrawn =
        FIXTURE.database.inTransaction(
            tx -> FIXTURE.bell.withdraw(tx, Home.of(recipient), offer, 100));
    assertThat(withdrawn).isEqualTo(new WithdrawnNotifications(1, Set.of(recipient)));
    assertThat(withdrawn.mayBeMore()).isTrue();
    assertThat(FIXTURE.titles(recipient)).containsExactly("y");
    assertThat(FIXTURE.unread(recipient).getTotal()).isEqualTo(1);
  }

  @Test
  void withdraw_readEntry_stays() {
    OfferId offer = OfferId.random(new Home(7));
    String recipient = recipient();
    FIXTURE.write(about(recipient, "x", NotificationTopics.SEARCHES, offer));
    FIXTURE.service.markRead(recipient, List.of(), "", true);
    WithdrawnNotifications withdrawn =
        FIXTURE.database.inTransaction(
            tx -> FIXTURE.bell.withdraw(tx, Home.of(recipient), offer, 100));
    assertThat(withdrawn).isEqualTo(new WithdrawnNotifications(0, Set.of()));
    assertThat(withdrawn.mayBeMore()).isFalse();
    assertThat(FIXTURE.titles(recipient)).containsExactly("x");
  }

  @Test
  void list_pages_areStableWhileMoreArrive() {
    String recipient = recipient();
    IntStream.range(0, 5)
        .forEach(i -> FIXTURE.write(about(recipient, "n" + i, NotificationTopics.NEWS)));
    ListNotificationsResponse first = FIXTURE.service.list(recipient, BellFilter.ALL, 2, "");
    FIXTURE.write(about(recipient, "later", NotificationTopics.NEWS));
    List<String> remaining = new ArrayList<>();
    String token = first.getNextPageToken();
    while (!token.isEmpty()) {
      ListNotificationsResponse page = FIXTURE.service.list(recipient, BellFilter.ALL, 2, token);
      page.getNotificationsList().forEach(n -> remaining.add(n.getTitle()));
      token = page.getNextPageToken();
    }
    assertThat(remaining).containsExactly("n2", "n1", "n0");
  }

  @Test
  void list_topicsAndUnreadOnly_filter() {
    String recipient = recipient();
    FIXTURE.write(
        about(recipient, "a", NotificationTopics.SEARCHES),
        about(recipient, "b", NotificationTopics.PRICES),
        about(recipient, "c", NotificationTopics.NEWS));
    FIXTURE.service.markRead(recipient, List.of(), NotificationTopics.PRICES, false);
    assertThat(titles(FIXTURE.service.list(recipient, filter(false, "prices", "news"), 0, "")))
        .containsExactly("c", "b");
    assertThat(titles(FIXTURE.service.list(recipient, filter(true, "prices", "news"), 0, "")))
        .containsExactly("c");
    assertThatThrownBy(() -> FIXTURE.service.list(recipient, filter(false, "what"), 0, ""))
        .isInstanceOf(Failure.class);
  }

  @Test
  void markRead_sameIdsAtOnce_countsOnce() {
    String recipient = recipient();
    IntStream.range(0, 20)
        .forEach(i -> FIXTURE.write(about(recipient, "n" + i, NotificationTopics.NEWS)));
    List<String> ids = FIXTURE.list(recipient).stream().map(Notification::getId).limit(10).toList();
    List<CompletableFuture<Void>> marks =
        IntStream.range(0, 6)
            .mapToObj(
                i ->
                    CompletableFuture.runAsync(
                        () -> FIXTURE.service.markRead(recipient, ids, "", false)))
            .toList();
    marks.forEach(CompletableFuture::join);
    assertThat(FIXTURE.unread(recipient).getTotal()).isEqualTo(10);
  }

  @Test
  void markRead_notExactlyOneSelection_isInvalid() {
    String recipient = recipient();
    assertThatThrownBy(() -> FIXTURE.service.markRead(recipient, List.of(), "", false))
        .isInstanceOf(Failure.class);
    assertThatThrownBy(() -> FIXTURE.service.markRead(recipient, List.of("1"), "news", false))
        .isInstanceOf(Failure.class);
  }

  /// Random writes, aggregations, readings and withdrawals by several threads: the counts are always
  /// those of the rows.
  @Test
  void counts_underConcurrentChanges_equalTheRows() {
    List<String> recipients = FIXTURE.recipientsOfOneShard(3);
    OfferId offer = OfferId.random(new Home(9));
    List<CompletableFuture<Void>> workers =
        IntStream.range(0, 4)
            .mapToObj(seed -> CompletableFuture.runAsync(() -> change(recipients, offer, seed)))
            .toList();
    workers.forEach(CompletableFuture::join);
    for (String recipient : recipients) {
      Map<String, Integer> expected = new HashMap<>();
      unreadPages(recipient).forEach(n -> expected.merge(n.getTopic(), 1, Integer::sum));
      assertThat(FIXTURE.unread(recipient).getByTopicMap()).isEqualTo(expected);
    }
  }

  private static List<Notification> unreadPages(String recipient) {
    return FIXTURE.service.list(recipient, unreadOnly(), 200, "").getNotificationsList();
  }

  private static void change(List<String> recipients, OfferId offer, int seed) {
    Random random = new Random(seed);
    List<String> topics = List.of(NotificationTopics.NEWS, NotificationTopics.PRICES);
    for (int i = 0; i < 60; i++) {
      String recipient = recipients.get(random.nextInt(recipients.size()));
      String topic = topics.get(random.nextInt(2));
      switch (random.nextInt(5)) {
        case 0, 1 ->
            FIXTURE.write(
                about(
                    recipient,
                    "k" + random.nextInt(100),
                    topic,
                    random.nextBoolean() ? offer : null),
                about(recipients.get(random.nextInt(3)), "k" + random.nextInt(100), topic));
        case 2 -> aggregate(recipient, "g" + random.nextInt(3), 1);
        case 3 -> FIXTURE.service.markRead(recipient, List.of(), topic, false);
        default ->
            FIXTURE.database.inTransaction(
                tx -> FIXTURE.bell.withdraw(tx, Home.of(recipient), offer, 2));
      }
    }
  }

  private static void aggregate(String recipient, String key, int by) {
    FIXTURE.database.inTransaction(
        tx -> FIXTURE.bell.write(tx, List.of(aggregated(recipient, key, by))));
  }

  private static AggregatedNotification aggregated(String recipient, String key, int by) {
    return new AggregatedNotification(
        recipient,
        key,
        NotificationTopics.SEARCHES,
        BellFixture.NOW,
        by,
        size -> content(size + " new offers"));
  }

  private static BellFilter unreadOnly() {
    return filter(true);
  }

  private static BellFilter filter(boolean unreadOnly, String... topics) {
    return new BellFilter(List.of(topics), unreadOnly, Optional.empty());
  }

  private static List<String> titles(ListNotificationsResponse page) {
    return page.getNotificationsList().stream().map(Notification::getTitle).toList();
  }
}
