package dev.torg.bench.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.bench.delivery.DeliveryComparison.OwnedBell;
import dev.torg.bench.delivery.DeliveryTables.Unfinished;
import dev.torg.bench.delivery.DeviceOwner.ReadEntry;
import dev.torg.bench.delivery.FcmServer.Push;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// One recipient with two devices, to whom "first" was sent.
class DeliveryComparisonTest {
  private static final Instant KILL = Instant.parse("2026-05-04T10:00:00Z");
  private static final ReadEntry ENTRY = new ReadEntry("1", "first");
  private static final Push PHONE = new Push("phone", "1");
  private static final Push TABLET = new Push("tablet", "1");

  private static DeliveryComparison compare(
      List<ReadEntry> entries, long unread, Map<Push, Integer> accepted, Unfinished... unfinished) {
    OwnedBell bell =
        new OwnedBell("user:1", List.of("phone", "tablet"), Set.of("first"), entries, unread);
    return new DeliveryComparison(List.of(bell), accepted, List.of(unfinished), List.of(KILL));
  }

  private static DeliveryComparison pushes(Map<Push, Integer> accepted, Unfinished... unfinished) {
    return compare(List.of(ENTRY), 1, accepted, unfinished);
  }

  @Test
  void compare_eachOnce_findsNothing() {
    DeliveryComparison all = pushes(Map.of(PHONE, 1, TABLET, 1));
    assertThat(all.expectedPushes()).isEqualTo(2);
    assertThat(all.deliveredPushes()).isEqualTo(2);
    assertThat(
            List.of(
                all.missingEntries(),
                all.doubledEntries(),
                all.unexpectedEntries(),
                all.wrongUnreadCounts(),
                all.doubledPushes(),
                all.unexpectedPushes(),
                all.lostPushes(),
                all.lostInFlight(),
                all.unexplainedAttempts()))
        .containsOnly(0L);
  }

  @Test
  void compare_bellWithoutTheEntry_isMissing() {
    DeliveryComparison empty = compare(List.of(), 0, Map.of());
    assertThat(empty.missingEntries()).isEqualTo(1);
    assertThat(empty.wrongUnreadCounts()).isEqualTo(1);
  }

  @Test
  void compare_twoEntriesOfOneNotification_isDoubled() {
    DeliveryComparison doubled =
        compare(List.of(ENTRY, new ReadEntry("2", "first")), 2, Map.of(PHONE, 1, TABLET, 1));
    assertThat(doubled.doubledEntries()).isEqualTo(1);
    assertThat(doubled.wrongUnreadCounts()).isEqualTo(1);
  }

  @Test
  void compare_entryOfAnother_isUnexpected() {
    DeliveryComparison other =
        compare(List.of(ENTRY, new ReadEntry("2", "second")), 1, Map.of(PHONE, 1, TABLET, 1));
    assertThat(other.unexpectedEntries()).isEqualTo(1);
  }

  @Test
  void compare_unreadCountDiffersFromTheEntries_isWrong() {
    assertThat(compare(List.of(ENTRY), 2, Map.of()).wrongUnreadCounts()).isEqualTo(1);
  }

  @Test
  void compare_pushAcceptedTwice_isDoubled() {
    assertThat(pushes(Map.of(PHONE, 2, TABLET, 1)).doubledPushes()).isEqualTo(1);
  }

  @Test
  void compare_pushAboutNoEntryOrToAnUnknownDevice_isUnexpected() {
    Push noEntry = new Push("phone", "9");
    Push noDevice = new Push("watch", "1");
    DeliveryComparison more = pushes(Map.of(PHONE, 1, TABLET, 1, noEntry, 1, noDevice, 1));
    assertThat(more.unexpectedPushes()).isEqualTo(2);
    assertThat(more.deliveredPushes()).isEqualTo(2);
  }

  @Test
  void compare_missingPushWithoutAnUnfinishedAttempt_isLost() {
    DeliveryComparison lost = pushes(Map.of(PHONE, 1));
    assertThat(lost.lostPushes()).isEqualTo(1);
    assertThat(lost.lostInFlight()).isZero();
  }

  @Test
  void compare_missingPushOfAnAttemptInFlightAtTheKill_isExplained() {
    DeliveryComparison inFlight =
        pushes(Map.of(PHONE, 1), new Unfinished("user:1", "1", KILL.minusMillis(200)));
    assertThat(inFlight.lostPushes()).isZero();
    assertThat(inFlight.lostInFlight()).isEqualTo(1);
    assertThat(inFlight.attemptsInFlight()).isEqualTo(1);
    assertThat(inFlight.unexplainedAttempts()).isZero();
  }

  @Test
  void compare_unfinishedAttemptOfAnotherRecipient_explainsNothing() {
    DeliveryComparison other =
        pushes(Map.of(PHONE, 1), new Unfinished("user:2", "1", KILL.minusMillis(200)));
    assertThat(other.lostPushes()).isEqualTo(1);
  }

  @Test
  void compare_attemptAfterTheKillOrLongBefore_isNoneInFlight() {
    DeliveryComparison unexplained =
        pushes(
            Map.of(PHONE, 1),
            new Unfinished("user:1", "1", KILL.plusMillis(200)),
            new Unfinished("user:1", "1", KILL.minusSeconds(300)));
    assertThat(unexplained.unexplainedAttempts()).isEqualTo(2);
    assertThat(unexplained.lostPushes()).isEqualTo(1);
  }
}
