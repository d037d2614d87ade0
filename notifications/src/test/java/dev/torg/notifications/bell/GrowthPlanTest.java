package dev.torg.notifications.bell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Timestamp;
import dev.torg.api.v1.Notification;
import dev.torg.notifications.AggregatedNotification;
import dev.torg.notifications.NotificationTopics;
import dev.torg.platform.Home;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GrowthPlanTest {
  private static final String RECIPIENT = "user:1";

  private final AtomicLong ids = new AtomicLong(100);

  private static AggregatedNotification growth(String recipient, String key, int by) {
    return new AggregatedNotification(
        recipient,
        key,
        NotificationTopics.SEARCHES,
        Instant.EPOCH,
        by,
        size -> Notification.newBuilder().setTitle(size + " new offers").build());
  }

  private static BellStore.ExistingEntry known(int size, boolean read) {
    return new BellStore.ExistingEntry(RECIPIENT, "s", 7, NotificationTopics.SELLERS, size, read);
  }

  private GrowthPlan plan(
      Map<List<String>, BellStore.ExistingEntry> known, AggregatedNotification... growths) {
    return GrowthPlan.of(List.of(growths), known, _ -> ids.incrementAndGet());
  }

  private static String title(byte[] body) throws Exception {
    return Notification.parseFrom(body).getTitle();
  }

  @Test
  void of_noEntryYet_isAddedWithItsSize() throws Exception {
    GrowthPlan plan = plan(Map.of(), growth(RECIPIENT, "s", 3));
    assertThat(plan.grown()).isEmpty();
    BellStore.NewEntry fresh = plan.fresh().getFirst();
    assertThat(fresh.id()).isEqualTo(101);
    assertThat(fresh.size()).isEqualTo(3);
    assertThat(title(fresh.body())).isEqualTo("3 new offers");
    assertThat(fresh.from().topic()).isEqualTo(NotificationTopics.SEARCHES);
  }

  @Test
  void of_unreadEntry_growsAndIsNotCountedAgain() throws Exception {
    GrowthPlan plan =
        plan(Map.of(List.of(RECIPIENT, "s"), known(3, false)), growth(RECIPIENT, "s", 2));
    assertThat(plan.fresh()).isEmpty();
    BellStore.AggregatedEntry grown = plan.grown().getFirst();
    assertThat(grown.id()).isEqualTo(7);
    assertThat(grown.seq()).isEqualTo(101);
    assertThat(grown.size()).isEqualTo(5);
    assertThat(grown.home()).isEqualTo(Home.of(RECIPIENT));
    assertThat(title(grown.body())).isEqualTo("5 new offers");
    assertThat(plan.changes().list()).isEmpty();
  }

  @Test
  void of_readEntry_isUnreadAgainUnderItsOwnTopic() {
    GrowthPlan plan =
        plan(Map.of(List.of(RECIPIENT, "s"), known(3, true)), growth(RECIPIENT, "s", 2));
    assertThat(plan.changes().list())
        .containsExactly(new UnreadChanges.Change(RECIPIENT, NotificationTopics.SELLERS, 1));
  }

  @Test
  void of_sameKeyOfAnotherRecipient_isAnEntryOfItsOwn() {
    GrowthPlan plan =
        plan(
            Map.of(List.of(RECIPIENT, "s"), known(3, false)),
            growth(RECIPIENT, "s", 1),
            growth("user:2", "s", 1),
            growth(RECIPIENT, "t", 1));
    assertThat(plan.grown()).hasSize(1);
    assertThat(plan.fresh()).extracting(BellStore.NewEntry::id).containsExactly(102L, 103L);
  }

  @Test
  void sums_ofOneEntry_addUp() {
    List<AggregatedNotification> sums =
        GrowthPlan.sums(
            List.of(
                growth(RECIPIENT, "s", 1),
                growth(RECIPIENT, "t", 1),
                growth(RECIPIENT, "s", 4),
                growth("user:2", "s", 1)));
    assertThat(sums)
        .extracting(aggregated -> aggregated.recipient() + aggregated.key() + aggregated.by())
        .containsExactlyInAnyOrder("user:1s5", "user:1t1", "user:2s1");
  }

  @Test
  void body_leavesOutWhatHasAColumn() throws Exception {
    Notification content =
        Notification.newBuilder()
            .setId("1")
            .setTopic("news")
            .setCreatedAt(Timestamp.newBuilder().setSeconds(1))
            .setRead(true)
            .setOfferId("2")
            .setTitle("title")
            .build();
    assertThat(Notification.parseFrom(GrowthPlan.body(content)))
        .isEqualTo(Notification.newBuilder().setTitle("title").build());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1})
  void growth_byNothing_isRefused(int by) {
    assertThatThrownBy(() -> growth(RECIPIENT, "s", by))
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
