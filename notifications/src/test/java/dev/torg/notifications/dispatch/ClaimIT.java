package dev.torg.notifications.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.notifications.Channel;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.operation.ClaimedMessage;
import dev.torg.notifications.operation.OperationClaimer.Claim;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ClaimIT {
  @RegisterExtension static final TestDatabase TABLES = DeliveryFixture.tables();

  private static final String NEWS = NotificationTopics.NEWS;
  private static final DeliveryFixture FIXTURE = new DeliveryFixture(TABLES);
  private static final ClaimFixture CLAIMS = new ClaimFixture(FIXTURE);

  @AfterEach
  void reset() {
    CLAIMS.insideClaim = () -> {};
  }

  @AfterAll
  static void close() {
    CLAIMS.close();
    FIXTURE.close();
  }

  @Test
  void claim_crashBeforeSending_losesItAndNeverRepeats() {
    String recipient = FIXTURE.withEmail();
    FIXTURE.write(recipient, "a", NEWS, Channel.EMAIL);
    assertThat(CLAIMS.claim(recipient, 10).messages()).hasSize(1);
    try (DeliveryFixture.Process process = FIXTURE.start()) {
      assertThat(process.leases().owner()).isNotEmpty();
      String other = FIXTURE.withEmail();
      FIXTURE.clock.advance(Duration.ofHours(1));
      FIXTURE.write(other, "b", NEWS, Channel.EMAIL);
      FIXTURE.awaitOutcome(other, "b", "DELIVERED");
    }
    assertThat(FIXTURE.sentTo(recipient)).isEmpty();
    assertThat(FIXTURE.outcomes(recipient, "a")).containsExactly("SENDING");
    assertThat(FIXTURE.operations(recipient)).isZero();
  }

  @Test
  void claim_rolledBack_leavesTheOperation() {
    String recipient = FIXTURE.withEmail();
    FIXTURE.write(recipient, "a", NEWS, Channel.EMAIL);
    CLAIMS.insideClaim =
        () -> {
          throw new IllegalStateException("the process ends before COMMIT");
        };
    try {
      CLAIMS.claim(recipient, 10);
    } catch (IllegalStateException e) {
      assertThat(e).hasMessageContaining("COMMIT");
    }
    assertThat(FIXTURE.operations(recipient)).isEqualTo(1);
    CLAIMS.insideClaim = () -> {};
    assertThat(CLAIMS.claim(recipient, 10).messages()).hasSize(1);
  }

  @Test
  void claim_neverMoreThanAllowed_oldestFirst() {
    String recipient = FIXTURE.withEmail();
    IntStream.range(0, 5).forEach(i -> FIXTURE.write(recipient, "n" + i, NEWS, Channel.EMAIL));
    Claim claim = CLAIMS.claim(recipient, 2);
    assertThat(titles(claim)).containsExactly("n0", "n1");
    assertThat(claim.more()).hasSize(1);
    assertThat(titles(CLAIMS.claim(recipient, 100))).containsExactly("n2", "n3", "n4");
  }

  @Test
  void claim_campaignAndIndividualMessages_individualOnesFirst() {
    String recipient = FIXTURE.withEmail();
    FIXTURE.write(
        DeliveryFixture.entry(
            recipient, "bulk", NEWS, DeliveryFixture.campaign(Channel.EMAIL, "c")));
    FIXTURE.write(recipient, "single", NEWS, Channel.EMAIL);
    assertThat(titles(CLAIMS.claim(recipient, 1))).containsExactly("single");
    assertThat(titles(CLAIMS.claim(recipient, 1))).containsExactly("bulk");
  }

  /// While the claim holds its locks, entries are written for the same person, and another claim takes only those.
  @Test
  void claim_insertsMeanwhile_neitherWaitNorInvalidateIt() {
    String recipient = FIXTURE.withEmail();
    IntStream.range(0, 3).forEach(i -> FIXTURE.write(recipient, "n" + i, NEWS, Channel.EMAIL));
    List<String> meanwhile = new ArrayList<>();
    AtomicBoolean isOuter = new AtomicBoolean(true);
    CLAIMS.insideClaim =
        () -> {
          if (isOuter.getAndSet(false)) {
            CompletableFuture.runAsync(
                    () -> {
                      FIXTURE.write(recipient, "new", NEWS, Channel.EMAIL);
                      meanwhile.addAll(titles(CLAIMS.claim(recipient, 10)));
                    })
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
          }
        };
    Claim claim = CLAIMS.claim(recipient, 10);
    assertThat(meanwhile).containsExactly("new");
    assertThat(titles(claim)).containsExactly("n0", "n1", "n2");
    assertThat(FIXTURE.operations(recipient)).isZero();
  }

  @Test
  void claim_underConcurrentInserts_takesEachOnce() {
    List<String> recipients = IntStream.range(0, 4).mapToObj(_ -> FIXTURE.withEmail()).toList();
    AtomicBoolean isWriting = new AtomicBoolean(true);
    CompletableFuture<?>[] writers =
        recipients.stream()
            .map(
                recipient ->
                    CompletableFuture.runAsync(
                        () ->
                            IntStream.range(0, 60)
                                .forEach(
                                    i -> FIXTURE.write(recipient, "n" + i, NEWS, Channel.EMAIL))))
            .toArray(CompletableFuture[]::new);
    CompletableFuture<Void> written =
        CompletableFuture.allOf(writers).whenComplete((_, _) -> isWriting.set(false));
    List<String> claimed = new ArrayList<>();
    boolean isLast = false;
    while (!isLast) {
      isLast = !isWriting.get();
      for (String recipient : recipients) {
        CLAIMS
            .claim(recipient, 512)
            .messages()
            .forEach(message -> claimed.add(message.owner() + titles(message)));
      }
    }
    written.join();
    Set<String> distinct = new HashSet<>(claimed);
    assertThat(distinct).hasSize(240);
    assertThat(claimed).hasSize(240);
  }

  private static List<String> titles(Claim claim) {
    return claim.messages().stream().flatMap(message -> titles(message).stream()).toList();
  }

  private static List<String> titles(ClaimedMessage message) {
    return message.parts().stream().map(part -> part.content().getTitle()).toList();
  }
}
