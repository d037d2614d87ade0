package dev.torg.notifications.bell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Timestamp;
import dev.torg.api.v1.Notification;
import dev.torg.notifications.AggregatedNotification;
import dev.torg.notifications.Channel;
import dev.torg.notifications.DeliveryRequest;
import dev.torg.notifications.NotificationTopics;
import dev.torg.platform.Home;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AggregationPlanTest {
  private static final String RECIPIENT = "user:1";

  private final AtomicLong ids = new AtomicLong(100);

  private static AggregatedNotification aggregated(String recipient, String key, int by) {
    return new AggregatedNotification(
        recipient,
        key,
        NotificationTopics.SEARCHES,
        Instant.EPOCH,
        by,
        size -> Notification.newBuilder().setTitle(size + " new offers").build());
  }

  private static BellStore.ExistingEntry existing(int size, boolean read) {
    return new BellStore.ExistingEntry(RECIPIENT, "s", 7, NotificationTopics.SELLERS, size, read);
  }

  private AggregationPlan plan(
      Map<List<String>, BellStore.ExistingEntry> existing,
      AggregatedNotification... notifications) {
    return AggregationPlan.of(List.of(notifications), existing, _ -> ids.incrementAndGet());
  }

  private static String title(byte[] body) throws Exception {
    return Notification.parseFrom(body).getTitle();
  }

  @Test
  void of_noEntryYet_isAddedWithItsSize() throws Exception {
    AggregationPlan plan = plan(Map.of(), aggregated(RECIPIENT, "s", 3));
    assertThat(plan.aggregatedEntries()).isEmpty();
    BellStore.NewEntry newEntry = plan.newEntries().getFirst();
    assertThat(newEntry.id()).isEqualTo(101);
    assertThat(newEntry.size()).isEqualTo(3);
    assertThat(title(newEntry.body())).isEqualTo("3 new offers");
    assertThat(newEntry.from().topic()).isEqualTo(NotificationTopics.SEARCHES);
  }

  @Test
  void of_unreadEntry_isAggregatedAndNotCountedAgain() throws Exception {
    AggregationPlan plan =
        plan(Map.of(List.of(RECIPIENT, "s"), existing(3, false)), aggregated(RECIPIENT, "s", 2));
    assertThat(plan.newEntries()).isEmpty();
    BellStore.AggregatedEntry entry = plan.aggregatedEntries().getFirst();
    assertThat(entry.id()).isEqualTo(7);
    assertThat(entry.seq()).isEqualTo(101);
    assertThat(entry.size()).isEqualTo(5);
    assertThat(entry.home()).isEqualTo(Home.of(RECIPIENT));
    assertThat(title(entry.body())).isEqualTo("5 new offers");
    assertThat(plan.changes().list()).isEmpty();
  }

  @Test
  void of_readEntry_isUnreadAgainInItsOwnTopic() {
    AggregationPlan plan =
        plan(Map.of(List.of(RECIPIENT, "s"), existing(3, true)), aggregated(RECIPIENT, "s", 2));
    assertThat(plan.changes().list())
        .containsExactly(new UnreadChanges.Change(RECIPIENT, NotificationTopics.SELLERS, 1));
  }

  @Test
  void of_sameKeyOfAnotherRecipient_isASeparateEntry() {
    AggregationPlan plan =
        plan(
            Map.of(List.of(RECIPIENT, "s"), existing(3, false)),
            aggregated(RECIPIENT, "s", 1),
            aggregated("user:2", "s", 1),
            aggregated(RECIPIENT, "t", 1));
    assertThat(plan.aggregatedEntries()).hasSize(1);
    assertThat(plan.newEntries()).extracting(BellStore.NewEntry::id).containsExactly(102L, 103L);
  }

  @Test
  void mergeByKey_sameEntry_addsUp() {
    List<AggregatedNotification> sums =
        AggregationPlan.mergeByKey(
            List.of(
                aggregated(RECIPIENT, "s", 1),
                aggregated(RECIPIENT, "t", 1),
                aggregated(RECIPIENT, "s", 4),
                aggregated("user:2", "s", 1)));
    assertThat(sums)
        .extracting(aggregated -> aggregated.recipient() + aggregated.key() + aggregated.by())
        .containsExactlyInAnyOrder("user:1s5", "user:1t1", "user:2s1");
  }

  @Test
  void mergeByKey_sameEntryOnOtherChannels_isOnTheChannelsOfBoth() {
    AggregatedNotification mail = on(Channel.EMAIL);
    AggregatedNotification push = on(Channel.PUSH);
    assertThat(AggregationPlan.mergeByKey(List.of(mail, push)).getFirst().delivery().channels())
        .containsExactlyInAnyOrder(Channel.EMAIL, Channel.PUSH);
  }

  private static AggregatedNotification on(Channel channel) {
    return new AggregatedNotification(
        RECIPIENT,
        "s",
        "searches",
        Instant.EPOCH,
        1,
        _ -> Notification.getDefaultInstance(),
        DeliveryRequest.on(Set.of(channel)));
  }

  @Test
  void body_omitsFieldsWithAColumn() throws Exception {
    Notification content =
        Notification.newBuilder()
            .setId("1")
            .setTopic("news")
            .setCreatedAt(Timestamp.newBuilder().setSeconds(1))
            .setRead(true)
            .setOfferId("2")
            .setTitle("title")
            .build();
    assertThat(Notification.parseFrom(AggregationPlan.body(content)))
        .isEqualTo(Notification.newBuilder().setTitle("title").build());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1})
  void aggregatedNotification_ofSizeZero_isRefused(int by) {
    assertThatThrownBy(() -> aggregated(RECIPIENT, "s", by))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void unreadChanges_sumUpPerRecipientAndTopic() {
    UnreadChanges changes = new UnreadChanges();
    changes.add("user:2", NotificationTopics.NEWS, 1);
    changes.add("user:1", NotificationTopics.PRICES, 2);
    changes.add("user:1", NotificationTopics.NEWS, 1);
    changes.add("user:1", NotificationTopics.NEWS, -1);
    changes.add("user:1", NotificationTopics.PRICES, 1);
    assertThat(changes.list())
        .containsExactly(
            new UnreadChanges.Change("user:1", NotificationTopics.PRICES, 3),
            new UnreadChanges.Change("user:2", NotificationTopics.NEWS, 1));
    assertThat(changes.changes()).isEqualTo(5);
  }
}
