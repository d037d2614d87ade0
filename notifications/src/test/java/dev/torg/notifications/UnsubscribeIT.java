package dev.torg.notifications;

import static dev.torg.notifications.BellFixture.recipient;
import static dev.torg.notifications.DevicesFixture.anonymous;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.api.v1.ChannelSettings;
import dev.torg.api.v1.Limit;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.TopicSettings;
import dev.torg.notifications.settings.SettingsStore;
import dev.torg.notifications.unsubscribe.SettingsUnsubscribeService;
import dev.torg.notifications.unsubscribe.SignedUnsubscribeLinks;
import dev.torg.platform.Failure;
import dev.torg.testkit.TestDatabase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class UnsubscribeIT {
  @RegisterExtension static final TestDatabase TABLES = BellFixture.tables();

  private static final DevicesFixture FIXTURE = new DevicesFixture(TABLES);
  private static final NotificationTopics TOPICS = NotificationTopics.defaults();
  private static final SignedUnsubscribeLinks LINKS =
      new SignedUnsubscribeLinks("", TOPICS, FIXTURE.authenticator);

  private final SettingsStore store = new SettingsStore();
  private final Map<String, String> logins = new HashMap<>();
  private final UnsubscribeService service =
      new SettingsUnsubscribeService(
          FIXTURE.database,
          TOPICS,
          FIXTURE.authenticator,
          anonymous -> Optional.ofNullable(logins.get(anonymous)),
          FIXTURE::now);

  @AfterAll
  static void close() {
    FIXTURE.close();
  }

  @Test
  void unsubscribe_repeated_mutesTheTopicOnTheChannelOnly() {
    String owner = recipient();
    NotificationSettings before =
        NotificationSettings.newBuilder()
            .setLanguage("ru")
            .putTopics(
                "searches",
                TopicSettings.newBuilder()
                    .putChannels(
                        "EMAIL",
                        ChannelSettings.newBuilder()
                            .setLimit(Limit.newBuilder().setCount(3).setPer(Limit.Per.DAY))
                            .build())
                    .build())
            .build();
    FIXTURE.database.transact(tx -> store.put(tx, owner, before));
    assertThat(service.find(token(owner)).language().getLanguage()).isEqualTo("ru");
    assertThat(settings(owner)).isEqualTo(before);
    for (int i = 0; i < 2; i++) {
      UnsubscribeService.Subscription done = service.unsubscribe(token(owner));
      assertThat(done.topic().id()).isEqualTo("searches");
      assertThat(done.channel()).isEqualTo(Channel.EMAIL);
    }
    TopicSettings topic = before.getTopicsOrThrow("searches");
    assertThat(settings(owner))
        .isEqualTo(
            before.toBuilder()
                .putTopics(
                    "searches",
                    topic.toBuilder()
                        .putChannels(
                            "EMAIL",
                            topic.getChannelsOrThrow("EMAIL").toBuilder().setMuted(true).build())
                        .build())
                .build());
  }

  @Test
  void unsubscribe_personWithoutSettings_storesNothingElse() {
    String owner = recipient();
    assertThat(service.find(token(owner)).language().getLanguage()).isEqualTo("en");
    var _ = service.unsubscribe(token(owner));
    assertThat(settings(owner)).isEqualTo(muted());
  }

  @Test
  void unsubscribe_anonymousIdentityThatMoved_mutesForTheLogin() {
    String anonymous = anonymous();
    String login = recipient();
    String token = token(anonymous);
    assertThat(FIXTURE.merge.page(anonymous, login)).isFalse();
    assertThatThrownBy(() -> service.unsubscribe(token))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.code()).isEqualTo("identity.moved"));
    logins.put(anonymous, login);
    var _ = service.unsubscribe(token);
    assertThat(settings(login)).isEqualTo(muted());
    assertThat(settings(anonymous)).isEqualTo(NotificationSettings.getDefaultInstance());
  }

  @Test
  void unsubscribe_alteredLink_changesNothing() {
    String owner = recipient();
    String token = token(owner);
    String altered = token.substring(0, token.length() - 4) + "AAAA";
    for (String forged : List.of("", "lamp", altered)) {
      assertThatThrownBy(() -> service.unsubscribe(forged)).isInstanceOf(Failure.class);
      assertThatThrownBy(() -> service.find(forged)).isInstanceOf(Failure.class);
    }
    assertThat(settings(owner)).isEqualTo(NotificationSettings.getDefaultInstance());
  }

  /// The topic became exempt after the link was sent.
  @Test
  void unsubscribe_exemptTopic_isConflict() {
    NotificationTopics exempt =
        new NotificationTopics(
            TOPICS.all().stream()
                .map(
                    topic ->
                        new NotificationTopics.Topic(
                            topic.id(), topic.name(), topic.russianName(), true))
                .toList());
    UnsubscribeService later =
        new SettingsUnsubscribeService(
            FIXTURE.database, exempt, FIXTURE.authenticator, _ -> Optional.empty(), FIXTURE::now);
    String owner = recipient();
    assertThatThrownBy(() -> later.unsubscribe(token(owner)))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.code()).isEqualTo("unsubscribe.exempt"));
    assertThat(settings(owner)).isEqualTo(NotificationSettings.getDefaultInstance());
  }

  private static NotificationSettings muted() {
    return NotificationSettings.newBuilder()
        .putTopics(
            "searches",
            TopicSettings.newBuilder()
                .putChannels("EMAIL", ChannelSettings.newBuilder().setMuted(true).build())
                .build())
        .build();
  }

  private static String token(String owner) {
    String link = LINKS.link(owner, "searches", Channel.EMAIL);
    return link.substring(link.indexOf('=') + 1);
  }

  private NotificationSettings settings(String owner) {
    return FIXTURE
        .database
        .read(tx -> store.read(tx, Set.of(owner)))
        .getOrDefault(owner, NotificationSettings.getDefaultInstance());
  }
}
