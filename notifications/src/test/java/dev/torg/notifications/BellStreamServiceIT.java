package dev.torg.notifications;

import static dev.torg.notifications.BellFixture.about;
import static dev.torg.notifications.BellFixture.content;
import static dev.torg.notifications.BellFixture.recipient;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.torg.notifications.bell.BellChanges;
import dev.torg.notifications.bell.BellFilter;
import dev.torg.notifications.bell.StoredBell;
import dev.torg.notifications.stream.DatabaseBellStreams;
import dev.torg.platform.db.Database;
import dev.torg.testkit.TestDatabase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class BellStreamServiceIT {
  @RegisterExtension static final TestDatabase TABLES = BellFixture.tables();

  private static final BellFixture FIXTURE = new BellFixture(TABLES);
  private static final DatabaseBellStreams LIVE = FIXTURE.streams;

  @BeforeAll
  static void start() {
    LIVE.start();
  }

  @AfterAll
  static void close() {
    LIVE.close();
    FIXTURE.close();
  }

  @Test
  void stream_open_sendsCountsThenEntries() {
    String recipient = recipient();
    FIXTURE.write(about(recipient, "before", NotificationTopics.NEWS));
    Client client = Client.open(LIVE, recipient, Optional.empty(), Long.MAX_VALUE);
    await().until(() -> client.unread().equals(List.of(1)));
    FIXTURE.write(about(recipient, "now", NotificationTopics.NEWS));
    await().until(() -> client.titles().equals(List.of("now")));
    await().until(() -> client.unread().getLast() == 2);
    FIXTURE.service.markRead(recipient, List.of(), "", true);
    await().until(() -> client.unread().getLast() == 0);
    client.close();
  }

  @Test
  void stream_resumed_missesNothingAndRepeatsNothing() {
    String recipient = recipient();
    IntStream.range(0, 250)
        .forEach(i -> FIXTURE.write(about(recipient, "n" + i, NotificationTopics.NEWS)));
    String third =
        FIXTURE.service.list(recipient, BellFilter.ALL, 200, "").getNotifications(99).getId();
    Client client = Client.open(LIVE, recipient, Optional.of(third), Long.MAX_VALUE);
    await().until(() -> client.titles().size() == 99);
    assertThat(client.titles().getFirst()).isEqualTo("n151");
    assertThat(client.titles()).doesNotHaveDuplicates();
    client.close();
  }

  @Test
  void stream_aggregatedEntry_isSentAgain() {
    String recipient = recipient();
    Client client = Client.open(LIVE, recipient, Optional.empty(), Long.MAX_VALUE);
    await().until(() -> !client.unread().isEmpty());
    for (int i = 0; i < 2; i++) {
      FIXTURE.database.inTransaction(
          tx ->
              FIXTURE.bell.write(
                  tx,
                  List.of(
                      new AggregatedNotification(
                          recipient,
                          "s",
                          NotificationTopics.NEWS,
                          BellFixture.NOW,
                          1,
                          size -> content("" + size)))));
    }
    await().until(() -> client.titles().contains("2"));
    client.close();
  }

  @Test
  void stream_slowClient_getsAsMuchAsItRequests() {
    String recipient = recipient();
    Client client = Client.open(LIVE, recipient, Optional.of("0"), 2);
    IntStream.range(0, 5)
        .forEach(i -> FIXTURE.write(about(recipient, "n" + i, NotificationTopics.NEWS)));
    await().until(() -> client.events.size() == 2);
    client.request(100);
    await().until(() -> client.titles().size() == 5);
    assertThat(client.titles()).containsExactly("n0", "n1", "n2", "n3", "n4");
    client.close();
  }

  /// Another process: other pool, other bell, other streams. Only NOTIFY can wake the stream in time.
  @Test
  void stream_inAnotherProcess_isWokenByNotify() {
    String recipient = recipient();
    try (Database otherPool = Database.connect(TABLES.url(), 3)) {
      try (DatabaseBellStreams live =
          new DatabaseBellStreams(
              otherPool,
              InstantSource.fixed(BellFixture.NOW),
              new SimpleMeterRegistry(),
              Duration.ofMinutes(10))) {
        live.start();
        Client client = Client.open(live, recipient, Optional.empty(), Long.MAX_VALUE);
        await().until(() -> !client.unread().isEmpty());
        await().until(() -> listeners() == 2);
        FIXTURE.write(about(recipient, "far", NotificationTopics.NEWS));
        await().atMost(Duration.ofSeconds(20)).until(() -> client.titles().equals(List.of("far")));
      }
    }
  }

  /// The sessions that LISTEN; a notification sent before is lost.
  private static long listeners() {
    String sessions =
        """
        SELECT count(*) FROM pg_stat_activity
         WHERE datname = current_database() AND state = 'idle' AND query LIKE 'LISTEN %'
        """;
    return FIXTURE.database.read(tx -> tx.sql(sessions).first(row -> row.longAt(1))).orElseThrow();
  }

  @Test
  void stream_withoutNotify_isServedByPolling() {
    String recipient = recipient();
    Client client = Client.open(LIVE, recipient, Optional.empty(), Long.MAX_VALUE);
    await().until(() -> !client.unread().isEmpty());
    Bell silent =
        new StoredBell(
            InstantSource.system(), new BellChanges(List.of()), new SimpleMeterRegistry());
    FIXTURE.database.inTransaction(
        tx -> silent.write(tx, List.of(about(recipient, "silent", NotificationTopics.NEWS))));
    await().atMost(Duration.ofSeconds(10)).until(() -> client.titles().equals(List.of("silent")));
    client.close();
  }

  /// Many threads write to one recipient: the stream sends every entry once, in the order of ids.
  @Test
  void stream_concurrentWriters_missesNothing() {
    String recipient = recipient();
    Client client = Client.open(LIVE, recipient, Optional.of("0"), Long.MAX_VALUE);
    List<CompletableFuture<Void>> writers =
        IntStream.range(0, 4)
            .mapToObj(
                w ->
                    CompletableFuture.runAsync(
                        () ->
                            IntStream.range(0, 50)
                                .forEach(
                                    i ->
                                        FIXTURE.write(
                                            about(
                                                recipient, w + "/" + i, NotificationTopics.NEWS)))))
            .toList();
    writers.forEach(CompletableFuture::join);
    await().until(() -> client.titles().size() >= 200);
    assertThat(client.titles()).hasSize(200).doesNotHaveDuplicates();
    client.close();
  }

  /// Collects the events it receives.
  private static final class Client implements Flow.Subscriber<BellEvent> {
    private final List<BellEvent> events = new CopyOnWriteArrayList<>();
    private final List<Flow.Subscription> subscription = new ArrayList<>();
    private final long first;

    private Client(long first) {
      this.first = first;
    }

    static Client open(
        BellStreamService live, String recipient, Optional<String> lastEventId, long first) {
      Client client = new Client(first);
      live.stream(recipient, lastEventId).subscribe(client);
      return client;
    }

    List<String> titles() {
      return events.stream()
          .filter(BellEvent.Entry.class::isInstance)
          .map(event -> ((BellEvent.Entry) event).notification().getTitle())
          .toList();
    }

    List<Integer> unread() {
      return events.stream()
          .filter(BellEvent.Unread.class::isInstance)
          .map(event -> ((BellEvent.Unread) event).count().getTotal())
          .toList();
    }

    void request(long n) {
      subscription.getFirst().request(n);
    }

    void close() {
      subscription.getFirst().cancel();
    }

    @Override
    public void onSubscribe(Flow.Subscription opened) {
      subscription.add(opened);
      opened.request(first);
    }

    @Override
    public void onNext(BellEvent event) {
      events.add(event);
    }

    @Override
    public void onError(Throwable failure) {
      throw new AssertionError(failure);
    }

    @Override
    public void onComplete() {}
  }
}
