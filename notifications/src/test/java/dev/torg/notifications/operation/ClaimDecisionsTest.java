package dev.torg.notifications.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.AllTopicsChannelSettings;
import dev.torg.api.v1.AllTopicsSettings;
import dev.torg.api.v1.Limit;
import dev.torg.api.v1.Notification;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.QuietHours;
import dev.torg.notifications.Channel;
import dev.torg.notifications.DeliveryProvider;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.RecipientSettings;
import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.delivery.SuppressionReason;
import dev.torg.notifications.operation.OperationStore.Due;
import dev.torg.notifications.operation.OperationStore.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClaimDecisionsTest {
  private static final Instant NOW = Instant.parse("2026-05-04T10:00:00Z");
  private static final String OWNER = "user:1";
  private static final DeliveryTarget.Fcm OLD = new DeliveryTarget.Fcm("old", "4.0", "a");
  private static final DeliveryTarget.Fcm NEW = new DeliveryTarget.Fcm("new", "5.1", "b");
  private static final DeliveryTarget.Apns IOS = new DeliveryTarget.Apns("ios", "5.1", "c");

  private Set<DeliveryProvider> configured = Set.of(DeliveryProvider.FCM, DeliveryProvider.APNS);
  private List<DeliveryTarget> targets = List.of(OLD, NEW);
  private NotificationSettings settings = RecipientSettings.DEFAULTS;

  /// An operation as a test describes it.
  private record Op(
      long id, String topic, int attempts, boolean isHeld, Set<String> devices, String android) {
    static Op of(long id) {
      return new Op(id, NotificationTopics.SEARCHES, 0, false, Set.of(), "");
    }

    Op topic(String other) {
      return new Op(id, other, attempts, isHeld, devices, android);
    }

    Op held() {
      return new Op(id, topic, attempts, true, devices, android);
    }

    Op refusedBy(String device) {
      return new Op(id, topic, 1, isHeld, Set.of(device), android);
    }

    Op minAndroid(String version) {
      return new Op(id, topic, attempts, isHeld, devices, version);
    }

    DeliveryOperation operation() {
      return new DeliveryOperation(
          OWNER,
          id,
          Channel.PUSH,
          topic,
          NOW,
          attempts,
          false,
          isHeld,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          android.isEmpty() ? Map.of() : Map.of("android", android),
          Optional.empty(),
          devices);
    }

    Due due() {
      return new Due(
          operation(),
          Optional.of(new Entry("key" + id, false, Notification.getDefaultInstance())));
    }
  }

  private ClaimDecisions.Result decide(Due... due) {
    ClaimContext context =
        new ClaimContext(
            Channel.PUSH,
            NOW,
            NotificationTopics.defaults(),
            Map.of(OWNER, settings),
            Map.of(OWNER, targets),
            configured);
    return ClaimDecisions.decide(List.of(due), context, new DeliveryCounts(Map.of()));
  }

  private static List<SuppressionReason> reasons(ClaimDecisions.Result result) {
    return result.suppressed().stream().map(ClaimDecisions.Suppressed::reason).toList();
  }

  private static List<List<Long>> sent(ClaimDecisions.Result result) {
    return result.messages().stream()
        .map(
            message ->
                message.parts().stream().map(part -> part.operation().notificationId()).toList())
        .toList();
  }

  private void limit(int count) {
    settings =
        RecipientSettings.DEFAULTS.toBuilder()
            .setAllTopics(
                AllTopicsSettings.newBuilder()
                    .putChannels(
                        "PUSH",
                        AllTopicsChannelSettings.newBuilder()
                            .setLimit(Limit.newBuilder().setCount(count).setPer(Limit.Per.DAY))
                            .build()))
            .build();
  }

  @Test
  void decide_withdrawnOrRead_isCancelled() {
    Due withdrawn = new Due(Op.of(1).operation(), Optional.empty());
    Due read =
        new Due(
            Op.of(2).operation(),
            Optional.of(new Entry("key", true, Notification.getDefaultInstance())));
    ClaimDecisions.Result result = decide(withdrawn, read, Op.of(3).due());
    assertThat(reasons(result))
        .containsExactly(SuppressionReason.WITHDRAWN, SuppressionReason.READ);
    assertThat(sent(result)).containsExactly(List.of(3L));
  }

  @Test
  void decide_noProviderOfTheChannel_isSuppressed() {
    configured = Set.of(DeliveryProvider.EMAIL);
    assertThat(reasons(decide(Op.of(1).due())))
        .containsExactly(SuppressionReason.CHANNEL_NOT_CONFIGURED);
  }

  @Test
  void decide_deviceOfAProviderThatIsNotConfigured_isNoTarget() {
    configured = Set.of(DeliveryProvider.WEB_PUSH);
    assertThat(reasons(decide(Op.of(1).due()))).containsExactly(SuppressionReason.NO_TARGET);
    configured = Set.of(DeliveryProvider.FCM);
    targets = List.of(NEW, IOS);
    assertThat(decide(Op.of(1).due()).messages().getFirst().targets()).containsExactly(NEW);
  }

  @Test
  void decide_push_goesToAllDevicesWithTheVersion() {
    assertThat(decide(Op.of(1).due()).messages().getFirst().targets()).containsExactly(OLD, NEW);
    assertThat(decide(Op.of(1).minAndroid("5.0").due()).messages().getFirst().targets())
        .containsExactly(NEW);
    assertThat(reasons(decide(Op.of(1).minAndroid("6").due())))
        .containsExactly(SuppressionReason.APP_VERSION);
  }

  @Test
  void decide_repeated_goesToTheDevicesThatWereRefused() {
    assertThat(decide(Op.of(1).refusedBy("new").due()).messages().getFirst().targets())
        .containsExactly(NEW);
    assertThat(reasons(decide(Op.of(1).refusedBy("gone").due())))
        .containsExactly(SuppressionReason.NO_TARGET);
  }

  @Test
  void decide_limit_countsTheMessagesOfTheSameClaim() {
    limit(2);
    ClaimDecisions.Result result = decide(Op.of(1).due(), Op.of(2).due(), Op.of(3).due());
    assertThat(sent(result)).containsExactly(List.of(1L), List.of(2L));
    assertThat(reasons(result)).containsExactly(SuppressionReason.CHANNEL_LIMIT);
    assertThat(result.counts())
        .allSatisfy(changed -> assertThat(changed.count().day().count()).isEqualTo(2))
        .hasSize(2);
  }

  @Test
  void decide_repeated_isNeitherLimitedNorCountedAgain() {
    limit(1);
    ClaimDecisions.Result result = decide(Op.of(1).due(), Op.of(2).refusedBy("new").due());
    assertThat(sent(result)).containsExactly(List.of(1L), List.of(2L));
    assertThat(result.counts())
        .allSatisfy(changed -> assertThat(changed.count().day().count()).isEqualTo(1));
  }

  @Test
  void decide_exemptTopic_isNeitherLimitedNorCounted() {
    limit(1);
    ClaimDecisions.Result result =
        decide(Op.of(1).due(), Op.of(2).topic(NotificationTopics.ACCOUNT).due());
    assertThat(sent(result)).containsExactly(List.of(1L), List.of(2L));
    assertThat(decide(Op.of(2).topic(NotificationTopics.ACCOUNT).due()).counts()).isEmpty();
  }

  @Test
  void decide_severalHeldBack_areOneMessageThatCountsOnceForTheChannel() {
    limit(1);
    ClaimDecisions.Result result =
        decide(
            Op.of(1).held().due(),
            Op.of(2).held().topic(NotificationTopics.SELLERS).due(),
            Op.of(3).held().topic(NotificationTopics.ACCOUNT).due());
    assertThat(sent(result)).containsExactlyInAnyOrder(List.of(1L, 2L), List.of(3L));
    assertThat(result.counts())
        .hasSize(3)
        .allSatisfy(changed -> assertThat(changed.count().day().count()).isEqualTo(1));
  }

  @Test
  void decide_heldBackWithoutCommonDevice_areMessagesOfTheirOwn() {
    targets = List.of(OLD, NEW);
    ClaimDecisions.Result result =
        decide(Op.of(1).held().minAndroid("5.0").due(), Op.of(2).held().refusedBy("old").due());
    assertThat(sent(result)).containsExactly(List.of(1L), List.of(2L));
    assertThat(result.suppressed()).isEmpty();
  }

  @Test
  void decide_heldBackAndCommonDevice_goesToIt() {
    ClaimDecisions.Result result =
        decide(Op.of(1).held().minAndroid("5.0").due(), Op.of(2).held().due());
    assertThat(sent(result)).containsExactly(List.of(1L, 2L));
    assertThat(result.messages().getFirst().targets()).containsExactly(NEW);
  }

  @Test
  void decide_quietHours_holdsBackUntilTheirEnd() {
    settings =
        RecipientSettings.DEFAULTS.toBuilder()
            .setQuietHours(QuietHours.newBuilder().setFrom("09:00").setTo("11:00"))
            .build();
    ClaimDecisions.Result result = decide(Op.of(1).due());
    assertThat(result.messages()).isEmpty();
    assertThat(result.held())
        .singleElement()
        .satisfies(held -> assertThat(held.dueAt()).isEqualTo(NOW.plus(Duration.ofHours(1))));
  }
}
