package dev.torg.alerts.storm;

import static dev.torg.alerts.AlertsFixture.newUser;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.AlertTopics;
import dev.torg.alerts.AlertsFixture;
import dev.torg.alerts.event.AlertReason;
import dev.torg.alerts.event.OfferPositions;
import dev.torg.alerts.event.StormAlert;
import dev.torg.alerts.fanout.FanoutFixture;
import dev.torg.api.v1.AlertEvent;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class StormFanoutJobIT {
  @RegisterExtension static final TestDatabase TABLES = AlertsFixture.tables();

  private final StormStore storms = new StormStore();
  private final StormTargetStore targets = new StormTargetStore();
  private final String seller = newUser();
  private final Home home = Home.of(seller);
  private AlertsFixture fixture;
  private FanoutFixture fanout;
  private StormFanoutJob job;

  @BeforeEach
  void open() {
    fixture = new AlertsFixture(TABLES);
    fanout = new FanoutFixture(fixture);
    job =
        new StormFanoutJob(
            fixture.database,
            fixture.offers.offers(),
            fixture.favorites.audiences(),
            fanout.producer,
            fanout.backpressure);
  }

  @AfterEach
  void close() {
    fanout.close();
    fixture.close();
  }

  private void follow(int followers) throws Exception {
    IntStream.range(0, followers).parallel().forEach(_ -> fixture.follow(newUser(), seller));
    fixture.projectFavorites();
  }

  /// As the matcher does for one portion of a storm.
  private void append(int count) {
    List<StormStore.StormOffer> offers =
        IntStream.range(0, count)
            .mapToObj(_ -> new StormStore.StormOffer(OfferId.random(home), fixture.clock.instant()))
            .toList();
    Map<OfferId, Integer> positions =
        fixture.database.inTransaction(tx -> storms.number(tx, seller, offers));
    Map<OfferId, Integer> repeated =
        fixture.database.inTransaction(tx -> storms.number(tx, seller, offers));
    assertThat(repeated).isEqualTo(positions);
    appendPositions(OfferPositions.of(positions.values().stream().mapToInt(p -> p).toArray()));
  }

  private void appendPositions(OfferPositions all) {
    fixture.database.transact(
        tx ->
            targets.append(
                tx, seller, Map.of(AlertReason.seller(seller), all), fixture.clock.instant()));
  }

  private boolean run() {
    return job.run(fanout.leases.of(home), fixture.clock.instant());
  }

  @Test
  void run_manyPortionsOfAStorm_areOneRecordPerFollower() throws Exception {
    follow(1_200);
    append(300);
    append(200);
    assertThat(job.waiting(List.of(home), fixture.clock.instant())).containsExactly(home);
    assertThat(run()).isTrue();
    // Arrives during the walk: part of the next one.
    append(100);
    assertThat(run()).isTrue();
    assertThat(run()).isFalse();
    List<StormAlert> sent = sent();
    assertThat(sent).hasSize(1_200);
    assertThat(sent).extracting(alert -> alert.positions().size()).containsOnly(500);
    fixture.clock.advance(StormFanoutJob.MIN_WALK_INTERVAL);
    while (run()) {
      assertThat(job.waiting(List.of(home), fixture.clock.instant())).hasSizeLessThanOrEqualTo(1);
    }
    sent = sent();
    assertThat(sent).hasSize(2_400);
    assertThat(sent.subList(1_200, 2_400))
        .extracting(alert -> alert.positions().size())
        .contains(100);
    assertThat(count("storm_match")).isZero();
    fixture.clock.advance(Duration.ofDays(1));
    assertThat(job.waiting(List.of(home), fixture.clock.instant())).isEmpty();
  }

  /// A log of more than one page is walked completely.
  @Test
  void run_logOfManyRows_isReadInPages() throws Exception {
    follow(3);
    int rows = 2 * StormFanoutJob.LOG_PAGE_SIZE + 50;
    for (int i = 0; i < rows; i++) {
      append(1);
    }
    StormTargetStore.Target target =
        fixture.database.read(
            tx -> targets.next(tx, home, "", fixture.clock.instant()).orElseThrow());
    List<StormTargetStore.Logged> page =
        fixture.database.read(tx -> targets.matches(tx, target, 0, rows, 7));
    assertThat(page)
        .extracting(StormTargetStore.Logged::seq)
        .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
    assertThat(run()).isTrue();
    assertThat(sent()).hasSize(3).extracting(alert -> alert.positions().size()).containsOnly(rows);
    assertThat(count("storm_match")).isZero();
  }

  /// A catalogue of more offers than a walk takes: two walks, each offer in one of them.
  @Test
  void run_hugeCatalogue_isReadInSeveralPasses() throws Exception {
    follow(1);
    append(1);
    int portion = 20_000;
    for (int i = 0; i < 4; i++) {
      BitSet positions = new BitSet();
      positions.set(2 + i * portion, 2 + (i + 1) * portion);
      appendPositions(OfferPositions.of(positions));
    }
    assertThat(run()).isTrue();
    assertThat(run()).isFalse();
    int first = 1 + 3 * portion;
    assertThat(first).isBetween(StormFanoutJob.MAX_OFFERS_PER_WALK, 70_000);
    assertThat(sent()).extracting(alert -> alert.positions().size()).containsExactly(first);
    fixture.clock.advance(StormFanoutJob.MIN_WALK_INTERVAL);
    assertThat(run()).isTrue();
    assertThat(sent())
        .extracting(alert -> alert.positions().size())
        .containsExactly(first, portion);
  }

  private long count(String table) {
    return fixture.database.read(
        tx -> tx.sql("SELECT count(*) FROM " + table).first(row -> row.longAt(1)).orElse(0L));
  }

  private List<StormAlert> sent() throws Exception {
    List<StormAlert> sent = new ArrayList<>();
    try (KafkaConsumer<String, byte[]> consumer = fanout.kafka.consumer(Map.of())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(fanout.kafka.clusterName(AlertTopics.STORM)).stream()
              .map(p -> new TopicPartition(p.topic(), p.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      long end = consumer.endOffsets(partitions).values().stream().mapToLong(o -> o).sum();
      while (sent.size() < end) {
        for (var got : consumer.poll(Duration.ofSeconds(1))) {
          sent.add(StormAlert.of(AlertEvent.parseFrom(got.value())));
        }
      }
    }
    sent.sort(Comparator.comparing(alert -> -alert.positions().size()));
    return sent;
  }
}
