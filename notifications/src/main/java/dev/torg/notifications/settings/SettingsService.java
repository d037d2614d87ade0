package dev.torg.notifications.settings;

import dev.torg.api.v1.NotificationSettings;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.SettingsListener;
import dev.torg.notifications.bell.BellStore;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// Reads and replaces a user's notification settings.
public final class SettingsService {
  private final Database database;
  private final NotificationSettingsValidator validator;
  private final StoredRecipientSettings recipients;
  private final List<SettingsListener> listeners;
  private final SettingsStore store = new SettingsStore();
  private final BellStore bells = new BellStore();

  public SettingsService(
      Database database,
      NotificationTopics topics,
      StoredRecipientSettings recipients,
      List<SettingsListener> listeners) {
    this.database = database;
    this.validator = new NotificationSettingsValidator(topics);
    this.recipients = recipients;
    this.listeners = List.copyOf(listeners);
  }

  public NotificationSettings get(String owner) {
    return Objects.requireNonNull(database.read(tx -> recipients.of(tx, Set.of(owner))).get(owner));
  }

  /// The language that the user chose.
  public Optional<String> language(String owner) {
    return Optional.ofNullable(database.read(tx -> store.read(tx, Set.of(owner))).get(owner))
        .map(NotificationSettings::getLanguage)
        .filter(language -> !language.isEmpty());
  }

  /// Ignores the timezone that applies, which clients send back as they read it.
  public NotificationSettings put(String owner, NotificationSettings requested) {
    NotificationSettings settings =
        SettingsStore.withoutUnknownFields(requested).toBuilder().clearEffectiveTimezone().build();
    validator.check(settings);
    return database.inTransaction(tx -> put(tx, owner, settings));
  }

  private NotificationSettings put(Tx tx, String owner, NotificationSettings settings)
      throws SQLException {
    NotificationSettings completed = recipients.complete(tx, owner, settings);
    for (SettingsListener listener : listeners) {
      listener.replaced(tx, owner, completed);
    }
    bells
        .lockAndAllocateIds(tx, Set.of(owner), 0, 1)
        .values()
        .forEach(BellStore.LockedBell::requireNotMerged);
    store.put(tx, owner, settings);
    return completed;
  }
}
