package dev.torg.notifications.settings;

import dev.torg.api.v1.NotificationSettings;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.RecipientSettings;
import dev.torg.notifications.bell.BellStore;
import dev.torg.notifications.bell.MergedBellCheck;
import dev.torg.platform.db.Database;
import java.util.Set;

/// Reads and replaces a person's settings.
public final class SettingsService {
  private final Database database;
  private final NotificationSettingsValidator rules;
  private final SettingsStore store = new SettingsStore();
  private final RecipientSettings settings = new RecipientSettings();
  private final BellStore bells = new BellStore();

  public SettingsService(Database database, NotificationTopics topics) {
    this.database = database;
    this.rules = new NotificationSettingsValidator(topics);
  }

  public NotificationSettings get(String owner) {
    return RecipientSettings.complete(
        database
            .read(tx -> settings.of(tx, Set.of(owner)))
            .getOrDefault(owner, RecipientSettings.DEFAULTS));
  }

  public NotificationSettings put(String owner, NotificationSettings given) {
    NotificationSettings said = SettingsStore.withoutUnknownFields(given);
    rules.check(said);
    return database.inTransaction(
        tx -> {
          MergedBellCheck.refuse(bells.lockAndAllocateIds(tx, Set.of(owner), 0, 1));
          store.put(tx, owner, said);
          return RecipientSettings.complete(said);
        });
  }
}
