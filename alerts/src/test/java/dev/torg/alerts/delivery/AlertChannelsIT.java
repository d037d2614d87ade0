package dev.torg.alerts.delivery;

import static dev.torg.alerts.AlertsFixture.alert;
import static dev.torg.alerts.AlertsFixture.car;
import static dev.torg.alerts.AlertsFixture.cars;
import static dev.torg.alerts.AlertsFixture.events;
import static dev.torg.alerts.AlertsFixture.newUser;
import static dev.torg.notifications.Channel.EMAIL;
import static dev.torg.notifications.Channel.PUSH;
import static dev.torg.notifications.Channel.SMS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.AlertsFixture;
import dev.torg.alerts.HeldLease;
import dev.torg.alerts.RecordingBell;
import dev.torg.alerts.event.AlertReason;
import dev.torg.alerts.event.OfferPositions;
import dev.torg.alerts.event.StormAlert;
import dev.torg.api.v1.ChannelSettings;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.Notification;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.NotificationSettingsServiceGrpc.NotificationSettingsServiceImplBase;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.TopicSettings;
import dev.torg.platform.Home;
import dev.torg.platform.identity.IssuedToken;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The channels of rules arrive with the entries.
class AlertChannelsIT {
  @RegisterExtension static final TestDatabase TABLES = AlertsFixture.tables();

  private final String recipient = newUser();
  private final String seller = newUser();
  private AlertsFixture fixture;
  private RecordingBell bell;
  private AlertReason search;

  @BeforeEach
  void open() {
    fixture = new AlertsFixture(TABLES);
    bell = new RecordingBell(fixture.notifications.bell());
    search = AlertReason.search(fixture.search(recipient, cars("car"), "cars"));
    fixture.deliverSearch(recipient, search.id(), Delivery.INSTANT, EMAIL);
    fixture.follow(recipient, seller);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private Offer deliver() throws Exception {
    Offer offer = fixture.publish(seller);
    fixture
        .writer(bell)
        .handle(events(alert(recipient, offer, search, AlertReason.seller(seller))));
    return offer;
  }

  @Test
  void newOffer_ofSearchAndSeller_isOnTheChannelsOfBoth() throws Exception {
    fixture.deliverSeller(recipient, seller, Delivery.INSTANT, PUSH);
    Offer offer = deliver();
    assertThat(bell.channels()).containsExactly(Set.of(EMAIL, PUSH));
    Notification entry = fixture.bell(recipient).getFirst();
    assertThat(entry.getOpen().getWeb()).isEqualTo("/offers/" + offer.getId());
    assertThat(entry.getOpen().getType()).isEqualTo("offer");
  }

  @Test
  void rulesWithoutChannels_areBellOnly() throws Exception {
    fixture.deliverSearch(recipient, search.id(), Delivery.INSTANT);
    deliver();
    assertThat(bell.channels()).containsExactly(Set.of());
  }

  @Test
  void collapsedAlert_isOnTheChannelsToo() throws Exception {
    for (int i = 0; i <= fixture.settings.perHour(); i++) {
      deliver();
    }
    assertThat(bell.channels()).hasSize(fixture.settings.perHour() + 1).containsOnly(Set.of(EMAIL));
  }

  @Test
  void storm_isOnTheChannelsOfItsRules() throws Exception {
    fixture.deliverSeller(recipient, seller, Delivery.INSTANT, SMS);
    List<Offer> offers = IntStream.range(0, 30).mapToObj(_ -> fixture.publish(seller)).toList();
    OfferPositions positions =
        OfferPositions.of(
            fixture.number(seller, offers).values().stream().mapToInt(at -> at).toArray());
    fixture
        .writer(bell)
        .handle(AlertsFixture.events(new StormAlert(recipient, seller, Map.of(search, positions))));
    assertThat(bell.channels()).containsExactly(Set.of(EMAIL, SMS));
  }

  @Test
  void price_isOnTheChannelsNamedForTheTopic() throws Exception {
    Offer offer = fixture.publish(seller, car("A car", 100));
    fixture.save(recipient, offer);
    Offer repriced = fixture.reprice(offer, 50);
    fixture.as(
        recipient,
        fixture.settingsService(),
        NotificationSettings.newBuilder()
            .putTopics(
                "prices",
                TopicSettings.newBuilder()
                    .putChannels("PUSH", ChannelSettings.getDefaultInstance())
                    .build())
            .build(),
        NotificationSettingsServiceImplBase::putNotificationSettings);
    fixture.writer(bell).handle(events(AlertsFixture.price(recipient, repriced, offer.getPrice())));
    assertThat(bell.channels()).containsExactly(Set.of(PUSH));
  }

  @Test
  void digest_isOnTheChannelsOfItsRules() throws Exception {
    fixture.deliverSeller(recipient, seller, Delivery.DAILY);
    fixture.deliverSearch(recipient, search.id(), Delivery.DAILY, EMAIL);
    deliver();
    assertThat(bell.entries).isEmpty();
    fixture.clock.advance(Duration.ofDays(1));
    try (HeldLease lease = new HeldLease(fixture.database, fixture.clock)) {
      fixture.digests(bell).run(lease.of(Home.of(recipient)), fixture.clock.instant());
    }
    assertThat(bell.channels()).containsExactly(Set.of(EMAIL));
  }

  @Test
  void loginMerge_keepsTheChannelsOfRules() throws Exception {
    IssuedToken anonymous = fixture.tokens.issueAnonymous();
    String query = fixture.search(anonymous.subject(), cars("car"), "mine");
    fixture.deliverSearch(anonymous.subject(), query, Delivery.INSTANT, PUSH);
    String login = newUser();
    fixture.mergeInto(anonymous, login);
    Offer offer = fixture.publish(seller);
    fixture.writer(bell).handle(events(alert(login, offer, AlertReason.search(query))));
    assertThat(bell.channels()).containsExactly(Set.of(PUSH));
  }
}
