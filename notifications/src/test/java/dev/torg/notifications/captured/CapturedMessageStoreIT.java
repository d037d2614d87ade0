package dev.torg.notifications.captured;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.notifications.CapturedMessage;
import dev.torg.notifications.Channel;
import dev.torg.notifications.channel.ContentLinks;
import dev.torg.notifications.channel.DeliveryOutcome;
import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.channel.TestMessages;
import dev.torg.notifications.wiring.NotificationsWiring;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Migrations;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CapturedMessageStoreIT {
  private static final Instant NOW = Instant.parse("2026-05-04T10:00:00Z");
  private static final ContentLinks LINKS = new ContentLinks("https://torg.example");

  private static TestDatabase tables;
  private static Database database;

  private final AtomicReference<Instant> now = new AtomicReference<>(NOW);
  private final CapturedMessageStore store = new CapturedMessageStore(database, now::get);

  @BeforeAll
  static void open() {
    tables =
        TestDatabase.fresh(
            "captured",
            url -> Migrations.of("platform", NotificationsWiring.MIGRATIONS).migrate(url));
    database = Database.connect(tables.url(), 4);
  }

  @AfterAll
  static void close() {
    database.close();
    tables.close();
  }

  @BeforeEach
  void empty() {
    database.transact(tx -> tx.sql("DELETE FROM dev_outbox WHERE home = 0").update());
  }

  private void advance(Duration time) {
    now.updateAndGet(instant -> instant.plus(time));
  }

  @Test
  void send_mailAndSms_areCapturedNewestFirst() {
    assertThat(
            new CapturingEmailSender(store, LINKS)
                .send(TestMessages.to(new DeliveryTarget.Email("bob@example.com"))))
        .isEqualTo(DeliveryOutcome.delivered());
    advance(Duration.ofSeconds(1));
    assertThat(
            new CapturingSmsSender(store, LINKS)
                .send(TestMessages.to(new DeliveryTarget.Phone("+4915112345678"))))
        .isEqualTo(DeliveryOutcome.delivered());
    List<CapturedMessage> messages = store.latest();
    assertThat(messages)
        .extracting(CapturedMessage::channel)
        .containsExactly(Channel.SMS, Channel.EMAIL);
    CapturedMessage mail = messages.get(1);
    assertThat(mail.to()).isEqualTo("bob@example.com");
    assertThat(mail.subject()).isEqualTo("VW Golf for <sale>");
    assertThat(mail.text()).contains("One owner & full history.");
    assertThat(mail.html()).contains("VW Golf for &lt;sale&gt;");
    assertThat(mail.at()).isEqualTo(NOW);
    assertThat(messages.getFirst().text()).endsWith("\nhttps://torg.example/offers/7");
  }

  @Test
  void latest_messagesOlderThanAWeek_areNotShownAndDeleted() {
    store.add(Channel.SMS, "+491", "", "old", "");
    advance(CapturedMessageStore.RETENTION.plusSeconds(1));
    assertThat(store.latest()).isEmpty();
    addMany(50);
    assertThat(rows()).isEqualTo(50);
  }

  @Test
  void latest_moreThanAThousand_keepsTheNewest() {
    addMany(1_100);
    assertThat(store.latest()).hasSize(CapturedMessageStore.MAX_MESSAGES);
    assertThat(store.latest().getFirst().text()).isEqualTo("1099");
    assertThat(rows()).isLessThan(1_050);
  }

  private void addMany(int count) {
    for (int i = 0; i < count; i++) {
      advance(Duration.ofMillis(1));
      store.add(Channel.SMS, "+491", "", "" + i, "");
    }
  }

  private static long rows() {
    return database.read(
        tx ->
            tx.sql("SELECT count(*) FROM dev_outbox WHERE home = 0")
                .first(row -> row.longAt(1))
                .orElseThrow());
  }
}
