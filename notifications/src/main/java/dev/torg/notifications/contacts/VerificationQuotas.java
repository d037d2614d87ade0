package dev.torg.notifications.contacts;

import com.google.common.hash.Hashing;
import dev.torg.notifications.bell.BellStore;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;

/// Limits the codes that are sent by a person and to an address, so that they cannot be used to flood others. Codes
/// to an address are counted for all persons together; of webhooks the host counts.
final class VerificationQuotas {
  static final SentCodes.Quota OF_PERSON = new SentCodes.Quota(5, 20);
  static final SentCodes.Quota OF_ADDRESS = new SentCodes.Quota(5, 10);

  private final Database database;
  private final InstantSource clock;
  private final CodeQuotaStore quotas = new CodeQuotaStore();
  private final BellStore bells = new BellStore();

  VerificationQuotas(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// Counts a code, or fails with EXHAUSTED. The person is checked first: one whose codes are spent does not spend those
  /// of an address.
  void spend(String owner, ContactKind kind, String address) {
    Instant now = clock.instant();
    database.transact(
        tx -> {
          lock(tx, owner, now);
          quotas.spend(tx, owner, OF_PERSON, now);
        });
    database.transact(tx -> quotas.spend(tx, subject(kind, address), OF_ADDRESS, now));
  }

  private void lock(Tx tx, String owner, Instant now) throws SQLException {
    bells
        .lockAndAllocateIds(tx, Set.of(owner), EpochMicros.of(now), 1)
        .values()
        .forEach(BellStore.LockedBell::requireNotMerged);
  }

  /// Addresses that may belong to other people are not stored.
  private static String subject(ContactKind kind, String address) {
    String counted = kind == ContactKind.WEBHOOK ? URI.create(address).getHost() : address;
    return "address:" + Hashing.sha256().hashString(kind + "\n" + counted, StandardCharsets.UTF_8);
  }
}
