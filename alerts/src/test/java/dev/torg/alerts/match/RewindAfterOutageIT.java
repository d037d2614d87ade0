package dev.torg.alerts.match;

import static dev.torg.alerts.AlertsFixture.car;
import static dev.torg.alerts.AlertsFixture.cars;
import static dev.torg.alerts.AlertsFixture.person;
import static dev.torg.alerts.wiring.RunningAlerts.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.AlertsFixture;
import dev.torg.alerts.TestClock;
import dev.torg.alerts.event.AlertSettings;
import dev.torg.alerts.wiring.RunningAlerts;
import dev.torg.api.v1.Offer;
import dev.torg.platform.Home;
import dev.torg.platform.outbox.OutboxMessage;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// A process that was away for hours. Kafka's times are real ones, so the clock starts there.
class RewindAfterOutageIT {
  @RegisterExtension static final TestDatabase TABLES = AlertsFixture.tables();

  private final String recipient = person();
  private final String seller = person();
  private final TestClock clock = new TestClock();
  private AlertsFixture fixture;
  private RunningAlerts running;

  @BeforeEach
  void open() {
    clock.advance(Duration.between(clock.instant(), Instant.now()));
    fixture = new AlertsFixture(TABLES, clock, AlertSettings.defaults(AlertsFixture.temporary()));
    running = RunningAlerts.started(fixture);
  }

  @AfterEach
  void close() {
    running.close();
    fixture.close();
  }

  /// A row of the outbox that is held back.
  @SuppressWarnings("ArrayRecordComponent")
  private record HeldEvent(int home, long seq, String key, byte[] payload) {}

  @Test
  void startAgain_searchWasMissingBeforeTheOfferWasHandled_isMatched() throws Exception {
    String follower = person();
    fixture.follow(follower, seller);
    running.settle(follower, seller);
    // Announced while it is kept back: the engine does not hear of it.
    running.awaitRelayed();
    List<HeldEvent> held = saveAndHoldBack();
    Offer offer = fixture.publish(seller, car("A rare roadster", 1000));
    eventually(() -> fixture.notifiedOf(follower).contains(offer.getId()));
    running.stop();
    assertThat(fixture.bell(recipient)).isEmpty();
    clock.advance(Duration.ofHours(3));
    held.forEach(this::letGo);
    running.awaitRelayed();
    running.startAgain();
    eventually(() -> fixture.notifiedOf(recipient).contains(offer.getId()));
    running.settle(follower, seller);
    assertThat(fixture.notifiedOf(recipient)).containsExactly(offer.getId());
  }

  /// The projection of the search is committed with its announcement, which never leaves the outbox:
  /// a trigger takes it away in the same transaction.
  private List<HeldEvent> saveAndHoldBack() throws Exception {
    execute(
        """
        CREATE TABLE held AS SELECT * FROM outbox WHERE false;
        CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN INSERT INTO held SELECT NEW.*; RETURN NULL; END $$;
        CREATE TRIGGER hold BEFORE INSERT ON outbox FOR EACH ROW
          WHEN (NEW.topic = 'torg.searches') EXECUTE FUNCTION hold();
        """);
    fixture.search(recipient, cars("roadster"), "");
    eventually(() -> !held().isEmpty());
    eventually(this::isBackfilled);
    List<HeldEvent> held = held();
    execute("DROP TRIGGER hold ON outbox; DROP FUNCTION hold(); DROP TABLE held");
    return held;
  }

  /// The look-back at offers published since the search was saved must not find the one that follows.
  private boolean isBackfilled() {
    return fixture.database.read(
        tx -> tx.sql("SELECT 1 FROM subscription_backfill").list(row -> row.intAt(1)).isEmpty());
  }

  private void execute(String sql) throws Exception {
    try (var connection = fixture.database.dataSource().getConnection();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private List<HeldEvent> held() {
    return fixture.database.read(
        tx ->
            tx.sql("SELECT home, seq, key, payload FROM held")
                .list(
                    row ->
                        new HeldEvent(row.intAt(1), row.longAt(2), row.textAt(3), row.bytesAt(4))));
  }

  private void letGo(HeldEvent row) {
    fixture.database.inTransaction(
        tx -> {
          fixture.outbox.append(
              tx,
              List.of(
                  new OutboxMessage(
                      new Home(row.home), row.seq, "torg.searches", row.key, row.payload)));
          return true;
        });
  }
}
