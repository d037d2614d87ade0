package dev.torg.notifications.settings;

import dev.torg.api.v1.NotificationSettings;
import dev.torg.notifications.ReaderSettings;
import dev.torg.notifications.Topics;
import dev.torg.notifications.bell.BellStore;
import dev.torg.notifications.bell.MovedReader;
import dev.torg.platform.db.Database;
import java.util.Set;

/// Reads and replaces a person's settings.
public final class SettingsService {
  private final Database database;
  private final SettingsRules rules;
  private final SettingsStore store = new SettingsStore();
  private final ReaderSettings settings = new ReaderSettings();
  private final BellStore bells = new BellStore();

  public SettingsService(Database database, Topics topics) {
    this.database = database;
    this.rules = new SettingsRules(topics);
  }

  public NotificationSettings get(String owner) {
    return ReaderSettings.complete(
        database
            .read(tx -> settings.of(tx, Set.of(owner)))
            .getOrDefault(owner, ReaderSettings.DEFAULTS));
  }

  public NotificationSettings put(String owner, NotificationSettings given) {
    NotificationSettings said = SettingsStore.withoutUnknownFields(given);
    rules.check(said);
    return database.inTransaction(
        tx -> {
          MovedReader.refuse(bells.ring(tx, Set.of(owner), 0, 1));
          store.put(tx, owner, said);
          return ReaderSettings.complete(said);
        });
  }
}
