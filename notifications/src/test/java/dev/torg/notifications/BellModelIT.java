package dev.torg.notifications;

import static dev.torg.notifications.BellFixture.content;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.ListNotificationsResponse;
import dev.torg.api.v1.Notification;
import dev.torg.notifications.bell.BellFilter;
import dev.torg.notifications.bell.PurgeOldEntriesJob;
import dev.torg.notifications.bell.RemoveExpiredEntriesJob;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.lease.Lease;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Random sends, aggregations, readings, withdrawals, expiries and deletions by age, by several threads on the same
/// bells, against a simple model: after each operation the unread counts are those of the rows, and in the end the
/// bells contain what the model contains.
///
/// A thread has topics, keys and offers of its own, so that its part of the model does not depend on the others. Time
/// stands still during an operation.
class BellModelIT {
  @RegisterExtension static final TestDatabase TABLES = BellFixture.tables();

  private static final int THREADS = 4;
  private static final int OPERATIONS = 150;
  private static final int RECIPIENTS = 3;
  private static final Duration RETENTION = Duration.ofDays(180);
  private static final List<String> TOPICS =
      List.of(
          NotificationTopics.SEARCHES,
          NotificationTopics.PRICES,
          NotificationTopics.NEWS,
          NotificationTopics.OFFERS);

  /// The difference between counts and rows of an owner. One statement, so one snapshot.
  private static final String WRONG_COUNTS =
      """
      SELECT count(*) FROM (
        SELECT d.topic FROM (
          SELECT u.topic, u.count FROM unread u WHERE u.home = ? AND u.owner = ?
          UNION ALL
          SELECT n.topic, -1 FROM notification n WHERE n.home = ? AND n.owner = ? AND NOT n.read) AS d
         GROUP BY d.topic HAVING sum(d.count) <> 0) AS wrong
      """;

  private static final MovableClock CLOCK = new MovableClock();
  private static final BellFixture FIXTURE = new BellFixture(TABLES, CLOCK);
  private static final RemoveExpiredEntriesJob EXPIRY =
      new RemoveExpiredEntriesJob(FIXTURE.database, FIXTURE.bell::changed);
  private static final PurgeOldEntriesJob PURGE =
      new PurgeOldEntriesJob(FIXTURE.database, RETENTION, FIXTURE.bell::changed);

  private final ReadWriteLock time = new ReentrantReadWriteLock(true);

  @AfterAll
  static void close() {
    FIXTURE.close();
  }

  /// An entry of the model.
  private static final class Entry {
    final long id;
    final @Nullable OfferId offer;
    final Instant expiresAt;
    Instant changedAt;
    boolean read;

    Entry(long id, @Nullable OfferId offer, Instant expiresAt, Instant changedAt) {
      this.id = id;
      this.offer = offer;
      this.expiresAt = expiresAt;
      this.changedAt = changedAt;
    }

    boolean isShown(Instant now) {
      return expiresAt.isAfter(now) && changedAt.isAfter(now.minus(RETENTION));
    }
  }

  /// One thread, and its part of the model: by recipient and key.
  private final class Worker {
    final int number;
    final List<String> recipients;
    final String topic;
    final TestLeases leases;
    final OfferId offer = OfferId.random(new Home(9));
    final Random random;
    final Map<String, Map<String, Entry>> model = new HashMap<>();
    int keys;

    Worker(int number, List<String> recipients, TestLeases leases) {
      this.number = number;
      this.recipients = recipients;
      this.leases = leases;
      this.topic = TOPICS.get(number);
      this.random = new Random(number);
      recipients.forEach(recipient -> model.put(recipient, new TreeMap<>()));
    }

    void run() {
      for (int i = 0; i < OPERATIONS; i++) {
        if (random.nextInt(12) == 0) {
          advance(Duration.ofHours(1 + random.nextInt(24 * 12)));
        }
        time.readLock().lock();
        try {
          step(recipients.get(random.nextInt(RECIPIENTS)));
        } finally {
          time.readLock().unlock();
        }
      }
    }

    private void step(String recipient) {
      switch (random.nextInt(10)) {
        case 0, 1, 2 -> send(recipient);
        case 3 -> sendAgain(recipient);
        case 4 -> aggregate(recipient, "g" + number + "-" + random.nextInt(2));
        case 5 -> readSome(recipient);
        case 6 -> readTopic(recipient);
        case 7 -> withdraw(recipient);
        default -> runJobs(leases.of(Home.of(recipient)));
      }
      assertThat(wrongCounts(recipient)).isZero();
    }

    private Map<String, Entry> entries(String recipient) {
      return model.getOrDefault(recipient, Map.of());
    }

    private void send(String recipient) {
      List<NewNotification> batch = new ArrayList<>();
      IntStream.range(0, 1 + random.nextInt(3)).forEach(_ -> batch.add(next(recipient)));
      batch.add(next(recipients.get(random.nextInt(RECIPIENTS))));
      WrittenNotifications written = FIXTURE.write(batch.toArray(NewNotification[]::new));
      assertThat(written.entries()).hasSize(batch.size());
      Map<String, NewNotification> byKey = new HashMap<>();
      batch.forEach(entry -> byKey.put(entry.key(), entry));
      for (WrittenNotifications.Entry entry : written.entries()) {
        NewNotification from = byKey.get(entry.key());
        entries(entry.recipient())
            .put(
                entry.key(),
                new Entry(
                    entry.id(),
                    from.offer(),
                    from.delivery().expiresAt().orElse(Instant.MAX),
                    CLOCK.instant()));
      }
    }

    private NewNotification next(String recipient) {
      Optional<Instant> expiresAt =
          random.nextInt(3) > 0
              ? Optional.empty()
              : Optional.of(CLOCK.instant().plus(Duration.ofHours(1 + random.nextInt(400))));
      return entry(
          recipient, "k" + number + "-" + keys++, random.nextBoolean() ? offer : null, expiresAt);
    }

    private NewNotification entry(
        String recipient, String key, @Nullable OfferId about, Optional<Instant> expiresAt) {
      DeliveryRequest delivery =
          new DeliveryRequest(
              Set.of(), expiresAt, Map.of(), Optional.empty(), Optional.empty(), Optional.empty());
      return new NewNotification(
          recipient, key, topic, CLOCK.instant(), about, content(key), delivery);
    }

    /// A message that is delivered twice, and one that has expired: neither changes anything.
    private void sendAgain(String recipient) {
      Instant now = CLOCK.instant();
      entries(recipient).entrySet().stream()
          .filter(entry -> entry.getValue().isShown(now))
          .skip(random.nextInt(3))
          .findFirst()
          .ifPresent(
              shown -> {
                WrittenNotifications again =
                    FIXTURE.write(
                        entry(recipient, shown.getKey(), null, Optional.empty()),
                        entry(recipient, "expired" + number, null, Optional.of(now)));
                assertThat(again.entries()).isEmpty();
                assertThat(again.duplicates()).isEqualTo(1);
              });
    }

    private void aggregate(String recipient, String key) {
      AggregatedNotification storm =
          new AggregatedNotification(recipient, key, topic, CLOCK.instant(), 1, _ -> content(key));
      FIXTURE.database.inTransaction(tx -> FIXTURE.bell.write(tx, List.of(storm)));
      entries(recipient).put(key, new Entry(0, null, Instant.MAX, CLOCK.instant()));
    }

    private void readSome(String recipient) {
      List<Entry> some =
          entries(recipient).values().stream()
              .filter(entry -> entry.id > 0 && random.nextInt(3) == 0)
              .limit(20)
              .toList();
      if (!some.isEmpty()) {
        List<String> ids = some.stream().map(entry -> Long.toString(entry.id)).toList();
        FIXTURE.service.markRead(recipient, ids, "", false);
        some.forEach(entry -> entry.read = true);
      }
    }

    private void readTopic(String recipient) {
      FIXTURE.service.markRead(recipient, List.of(), topic, false);
      entries(recipient).values().forEach(entry -> entry.read = true);
    }

    private void withdraw(String recipient) {
      boolean more = true;
      while (more) {
        more =
            FIXTURE
                .database
                .inTransaction(tx -> FIXTURE.bell.withdraw(tx, Home.of(recipient), offer, 2))
                .mayBeMore();
      }
      entries(recipient).values().removeIf(entry -> offer.equals(entry.offer) && !entry.read);
    }
  }

  private void advance(Duration duration) {
    time.writeLock().lock();
    try {
      CLOCK.advance(duration);
    } finally {
      time.writeLock().unlock();
    }
  }

  private static void runJobs(Lease lease) {
    EXPIRY.run(lease, CLOCK.instant());
    PURGE.run(lease, CLOCK.instant());
  }

  private static long wrongCounts(String recipient) {
    Home home = Home.of(recipient);
    return FIXTURE.database.read(
        tx ->
            tx.sql(WRONG_COUNTS)
                .set(home)
                .set(recipient)
                .set(home)
                .set(recipient)
                .first(row -> row.longAt(1))
                .orElse(0L));
  }

  @Test
  void bell_randomConcurrentChanges_equalsTheModel() {
    List<String> recipients = FIXTURE.recipientsOfOneShard(RECIPIENTS);
    try (TestLeases leases = new TestLeases(FIXTURE.database, "test.model")) {
      List<Worker> workers =
          IntStream.range(0, THREADS).mapToObj(i -> new Worker(i, recipients, leases)).toList();
      List<CompletableFuture<Void>> runs =
          workers.stream().map(worker -> CompletableFuture.runAsync(worker::run)).toList();
      runs.forEach(CompletableFuture::join);
      // Between two full hours, so that no entry is exactly as old as the retention.
      advance(Duration.ofDays(2).plusMinutes(30));
      recipients.forEach(recipient -> assertShown(recipient, workers));
      for (int i = 0; i < 3; i++) {
        leases.all().forEach(BellModelIT::runJobs);
      }
      recipients.forEach(recipient -> assertShown(recipient, workers));
      recipients.forEach(recipient -> assertRows(recipient, workers));
    }
  }

  /// The title and the read state of all entries, as shown and as the model has them.
  private static void assertShown(String recipient, List<Worker> workers) {
    Instant now = CLOCK.instant();
    Map<String, Integer> unread = new HashMap<>();
    Map<String, Boolean> expected = new TreeMap<>();
    for (Worker worker : workers) {
      worker
          .entries(recipient)
          .forEach(
              (key, entry) -> {
                if (entry.isShown(now)) {
                  expected.put(key, entry.read);
                }
              });
    }
    Map<String, Boolean> shown = new TreeMap<>();
    for (Notification entry : all(recipient)) {
      shown.put(entry.getTitle(), entry.getRead());
      unread.merge(entry.getTopic(), entry.getRead() ? 0 : 1, Integer::sum);
    }
    unread.values().removeIf(count -> count == 0);
    assertThat(FIXTURE.unread(recipient).getByTopicMap()).isEqualTo(unread);
    assertThat(wrongCounts(recipient)).isZero();
    assertThat(shown).containsAllEntriesOf(expected);
    shown.keySet().removeAll(expected.keySet());
    // What is too old stays until the job has run.
    assertThat(shown.keySet())
        .allSatisfy(key -> assertThat(isOld(recipient, key, workers, now)).isTrue());
  }

  private static boolean isOld(String recipient, String key, List<Worker> workers, Instant now) {
    return workers.stream()
        .map(worker -> worker.entries(recipient).get(key))
        .anyMatch(entry -> entry != null && entry.expiresAt.isAfter(now) && !entry.isShown(now));
  }

  private static void assertRows(String recipient, List<Worker> workers) {
    long expected =
        workers.stream()
            .flatMap(worker -> worker.entries(recipient).values().stream())
            .filter(entry -> entry.isShown(CLOCK.instant()))
            .count();
    long rows =
        FIXTURE.database.read(
            tx ->
                tx.sql("SELECT count(*) FROM notification WHERE home = ? AND owner = ?")
                    .set(Home.of(recipient))
                    .set(recipient)
                    .first(row -> row.longAt(1))
                    .orElse(0L));
    assertThat(rows).isEqualTo(expected);
  }

  private static List<Notification> all(String recipient) {
    List<Notification> all = new ArrayList<>();
    String token = "";
    do {
      ListNotificationsResponse page = FIXTURE.service.list(recipient, BellFilter.ALL, 200, token);
      all.addAll(page.getNotificationsList());
      token = page.getNextPageToken();
    } while (!token.isEmpty());
    return all;
  }
}
