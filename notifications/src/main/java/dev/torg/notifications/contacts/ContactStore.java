package dev.torg.notifications.contacts;

import dev.torg.notifications.contacts.StoredContact.Address;
import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// SQL over addresses, in the homes of their owners. Every change is made under the lock of the owner's bell: it reads
/// the row, decides in memory and writes the row.
public final class ContactStore {
  private static final BatchSql<String> READ =
      BatchColumns.<String>of(Home::of)
          .texts("owner", owner -> owner)
          .sql(
              """
              SELECT c.owner, c.kind, c.address, c.secret, c.pending_address, c.pending_secret,
                     c.version, c.code_hash, c.expires_at, c.wrong_codes
                FROM :batch(k) JOIN contact c ON c.home = k.home AND c.owner = k.owner
               WHERE :shard(c) ORDER BY c.owner, c.kind
              """);

  private static final String PUT =
      """
      INSERT INTO contact (home, owner, kind, address, secret, pending_address, pending_secret,
                           version, code_hash, expires_at, wrong_codes)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (home, owner, kind) DO UPDATE
        SET address = excluded.address, secret = excluded.secret,
            pending_address = excluded.pending_address, pending_secret = excluded.pending_secret,
            version = excluded.version, code_hash = excluded.code_hash,
            expires_at = excluded.expires_at, wrong_codes = excluded.wrong_codes
      """;

  private static final String DELETE =
      "DELETE FROM contact WHERE home = ? AND owner = ? AND kind = ?";

  private static final String DELETE_ALL = "DELETE FROM contact WHERE home = ? AND owner = ?";

  private static final String BEGIN_MERGE =
      "INSERT INTO contact_move (home, owner, anonymous) VALUES (?, ?, ?) ON CONFLICT DO NOTHING";

  public List<StoredContact> read(Tx tx, Collection<String> owners) throws SQLException {
    return tx.sql(READ, List.copyOf(owners)).list(ContactStore::contact);
  }

  StoredContact read(Tx tx, String owner, ContactKind kind) throws SQLException {
    return read(tx, List.of(owner)).stream()
        .filter(contact -> contact.kind() == kind)
        .findFirst()
        .orElse(StoredContact.none(owner, kind));
  }

  /// Writes the row, or deletes it if there is no address.
  public void put(Tx tx, StoredContact contact) throws SQLException {
    if (contact.isEmpty()) {
      tx.sql(DELETE).set(contact.home()).set(contact.owner()).set(contact.kind().name()).update();
      return;
    }
    tx.sql(PUT)
        .set(contact.home())
        .set(contact.owner())
        .set(contact.kind().name())
        .set(contact.verified().map(Address::address).orElse(""))
        .set(contact.verified().map(Address::secret).orElse(""))
        .set(contact.pending().map(Address::address).orElse(""))
        .set(contact.pending().map(Address::secret).orElse(""))
        .set(contact.challenge().version())
        .set(contact.challenge().codeHash())
        .set(contact.challenge().expiresAt())
        .set(contact.challenge().wrongCodes())
        .update();
  }

  /// Whether this call records that the contacts of the anonymous identity are copied to the login: it is recorded once.
  boolean beginMerge(Tx tx, String anonymous, String login) throws SQLException {
    return tx.sql(BEGIN_MERGE).set(Home.of(login)).set(login).set(anonymous).update() > 0;
  }

  void deleteAll(Tx tx, String owner) throws SQLException {
    tx.sql(DELETE_ALL).set(Home.of(owner)).set(owner).update();
  }

  private static StoredContact contact(Row row) throws SQLException {
    CodeChallenge challenge =
        new CodeChallenge(row.longAt(7), row.textAt(8), row.instantAt(9), row.intAt(10));
    return new StoredContact(
        row.textAt(1),
        ContactKind.valueOf(row.textAt(2)),
        address(row.textAt(3), row.textAt(4)),
        address(row.textAt(5), row.textAt(6)),
        challenge);
  }

  private static Optional<Address> address(String address, String secret) {
    return address.isEmpty() ? Optional.empty() : Optional.of(new Address(address, secret));
  }
}
