package dev.torg.notifications.settings;

import dev.torg.api.v1.NotificationSettings;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.RecipientSettings;
import dev.torg.notifications.bell.BellStore;
import dev.torg.platform.db.Database;
import java.util.Set;

/// Reads and replaces a user's notification settings.
public final class SettingsService {
  private final Database database;
  private final NotificationSettingsValidator validator;
  private final SettingsStore store = new SettingsStore();
  private final BellStore bells = new BellStore();

  public SettingsService(Database database, NotificationTopics topics) {
    this.database = database;
    this.validator = new NotificationSettingsValidator(topics);
  }

  public NotificationSettings get(String owner) {
    return RecipientSettings.complete(
        database
            .read(tx -> store.read(tx, Set.of(owner)))
            .getOrDefault(owner, RecipientSettings.DEFAULTS));
  }

  public NotificationSettings put(String owner, NotificationSettings requested) {
    NotificationSettings settings = SettingsStore.withoutUnknownFields(requested);
    validator.check(settings);
    return database.inTransaction(
        tx -> {
          bells
              .lockAndAllocateIds(tx, Set.of(owner), 0, 1)
              .values()
              .forEach(BellStore.LockedBell::requireNotMerged);
          store.put(tx, owner, settings);
          return RecipientSettings.complete(settings);
        });
  }
}
