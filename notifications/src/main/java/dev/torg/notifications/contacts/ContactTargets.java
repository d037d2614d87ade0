package dev.torg.notifications.contacts;

import dev.torg.notifications.Channel;
import dev.torg.notifications.bell.BellStore;
import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The verified addresses of people, as targets of delivery, and their move at login.
public final class ContactTargets {
  private final Database database;
  private final InstantSource clock;
  private final ContactStore store = new ContactStore();
  private final BellStore bells = new BellStore();

  public ContactTargets(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// The verified address of those people who have one.
  public Map<String, DeliveryTarget> find(Tx tx, Collection<String> owners, Channel channel)
      throws SQLException {
    Map<String, DeliveryTarget> targets = new HashMap<>();
    for (StoredContact contact : store.read(tx, owners)) {
      if (contact.kind().channel() == channel) {
        contact.target().ifPresent(target -> targets.put(contact.owner(), target));
      }
    }
    return targets;
  }

  /// Removes the verified address of a person if it is this target.
  public void removeGone(String owner, DeliveryTarget gone) {
    database.transact(
        tx -> {
          lock(tx, owner);
          for (StoredContact contact : store.read(tx, List.of(owner))) {
            if (contact.target().filter(gone::equals).isPresent()) {
              store.put(tx, contact.withoutVerified());
            }
          }
        });
  }

  /// Moves the addresses of an identity that sets none any more. May be repeated: they are copied once, so one that the
  /// login has removed since does not return.
  public void move(String anonymous, String login) {
    List<StoredContact> contacts = database.read(tx -> store.read(tx, List.of(anonymous)));
    if (contacts.isEmpty()) {
      return;
    }
    database.transact(
        tx -> {
          lock(tx, login);
          if (store.beginMerge(tx, anonymous, login)) {
            for (StoredContact contact : contacts) {
              StoredContact existing = store.read(tx, login, contact.kind());
              store.put(tx, StoredContact.merged(existing, contact));
            }
          }
        });
    database.transact(tx -> store.deleteAll(tx, anonymous));
  }

  private void lock(Tx tx, String owner) throws SQLException {
    var _ = bells.lockAndAllocateIds(tx, Set.of(owner), EpochMicros.of(clock.instant()), 1);
  }
}
