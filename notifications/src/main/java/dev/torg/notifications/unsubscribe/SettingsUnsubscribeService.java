package dev.torg.notifications.unsubscribe;

import dev.torg.api.v1.ChannelSettings;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.TopicSettings;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.RecipientSettings;
import dev.torg.notifications.UnsubscribeService;
import dev.torg.notifications.bell.BellStore;
import dev.torg.notifications.settings.SettingsStore;
import dev.torg.platform.Caller;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.identity.MergedIdentity;
import dev.torg.platform.identity.MessageAuthenticator;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// Mutes a topic on a channel in the settings of the person whom a link names.
public final class SettingsUnsubscribeService implements UnsubscribeService {
  private static final String MOVED_TO = "SELECT moved_to FROM bell WHERE home = ? AND owner = ?";

  private final Database database;
  private final NotificationTopics topics;
  private final MessageAuthenticator authenticator;
  private final Function<String, Optional<String>> logins;
  private final InstantSource clock;
  private final SettingsStore settings = new SettingsStore();
  private final BellStore bells = new BellStore();

  /// @param logins finds the login that an anonymous identity was merged into, and completes an unfinished merge
  public SettingsUnsubscribeService(
      Database database,
      NotificationTopics topics,
      MessageAuthenticator authenticator,
      Function<String, Optional<String>> logins,
      InstantSource clock) {
    this.database = database;
    this.topics = topics;
    this.authenticator = authenticator;
    this.logins = logins;
    this.clock = clock;
  }

  @Override
  public Subscription find(String token) {
    UnsubscribeToken link = UnsubscribeToken.verify(authenticator, token);
    NotificationTopics.Topic topic = topic(link);
    return database.read(
        tx -> {
          String person = movedTo(tx, link.recipient()).orElse(link.recipient());
          return new Subscription(topic, link.channel(), language(stored(tx, person)));
        });
  }

  @Override
  public Subscription unsubscribe(String token) {
    UnsubscribeToken link = UnsubscribeToken.verify(authenticator, token);
    NotificationTopics.Topic topic = topic(link);
    return mute(link.recipient(), link, topic)
        .or(() -> login(link.recipient()).flatMap(login -> mute(login, link, topic)))
        .orElseThrow(MergedIdentity::failure);
  }

  private NotificationTopics.Topic topic(UnsubscribeToken link) {
    NotificationTopics.Topic topic =
        topics.find(link.topic()).orElseThrow(UnsubscribeToken::invalid);
    if (topic.exempt()) {
      throw Failure.conflict("unsubscribe.exempt", "this topic cannot be muted");
    }
    return topic;
  }

  private Optional<String> login(String person) {
    return person.startsWith(Caller.ANONYMOUS_PREFIX) ? logins.apply(person) : Optional.empty();
  }

  /// Empty if the person has moved to a login.
  private Optional<Subscription> mute(
      String person, UnsubscribeToken link, NotificationTopics.Topic topic) {
    return database.inTransaction(
        tx -> {
          if (lockAndTestMoved(tx, person)) {
            return Optional.empty();
          }
          NotificationSettings before = stored(tx, person);
          NotificationSettings after = muted(before, link);
          if (!after.equals(before)) {
            settings.put(tx, person, after);
          }
          return Optional.of(new Subscription(topic, link.channel(), language(after)));
        });
  }

  private boolean lockAndTestMoved(Tx tx, String person) throws SQLException {
    long now = EpochMicros.of(clock.instant());
    return bells.lockAndAllocateIds(tx, Set.of(person), now, 1).values().stream()
        .anyMatch(BellStore.LockedBell::isMerged);
  }

  private static NotificationSettings muted(NotificationSettings before, UnsubscribeToken link) {
    String name = link.channel().name();
    TopicSettings topic =
        before.getTopicsOrDefault(link.topic(), TopicSettings.getDefaultInstance());
    ChannelSettings channel =
        topic.getChannelsOrDefault(name, ChannelSettings.getDefaultInstance());
    ChannelSettings muted = channel.toBuilder().setMuted(true).build();
    return before.toBuilder()
        .putTopics(link.topic(), topic.toBuilder().putChannels(name, muted).build())
        .build();
  }

  private NotificationSettings stored(Tx tx, String person) throws SQLException {
    Map<String, NotificationSettings> found = settings.read(tx, Set.of(person));
    return found.getOrDefault(person, NotificationSettings.getDefaultInstance());
  }

  private static Optional<String> movedTo(Tx tx, String person) throws SQLException {
    return tx.sql(MOVED_TO)
        .set(Home.of(person))
        .set(person)
        .first(row -> row.optionalTextAt(1))
        .flatMap(Function.identity());
  }

  private static Locale language(NotificationSettings settings) {
    String language = settings.getLanguage();
    return Locale.of(language.isEmpty() ? RecipientSettings.DEFAULTS.getLanguage() : language);
  }
}
