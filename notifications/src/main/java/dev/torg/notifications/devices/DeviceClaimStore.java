package dev.torg.notifications.devices;

import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// SQL over the claims of devices, in the homes of the devices' ids. A transaction changes one claim and nothing else.
final class DeviceClaimStore {
  private static final String LOCK =
      "SELECT owner, version FROM device_claim WHERE home = ? AND device_id = ? FOR UPDATE";

  private static final String PUT =
      """
      INSERT INTO device_claim (home, device_id, owner, version) VALUES (?, ?, ?, ?)
      ON CONFLICT (home, device_id) DO UPDATE SET owner = excluded.owner, version = excluded.version
      """;

  private static final String MOVE =
      "UPDATE device_claim SET owner = ? WHERE home = ? AND device_id = ? AND owner = ?";

  private static final String DELETE =
      "DELETE FROM device_claim WHERE home = ? AND device_id = ? AND owner = ?";

  private static final String DELETE_VERSION = DELETE + " AND version = ?";

  private static final BatchSql<String> OWNERS =
      BatchColumns.<String>of(Home::of)
          .texts("device_id", id -> id)
          .sql(
              """
              SELECT c.device_id, c.owner FROM :batch(k)
                JOIN device_claim c ON c.home = k.home AND c.device_id = k.device_id
               WHERE :shard(c)
              """);

  /// Gives the device to its new owner, and returns the former claim.
  Optional<DeviceClaim> put(Tx tx, String id, DeviceClaim claim) throws SQLException {
    Home home = Home.of(id);
    Optional<DeviceClaim> former =
        tx.sql(LOCK).set(home).set(id).first(row -> new DeviceClaim(row.textAt(1), row.longAt(2)));
    tx.sql(PUT).set(home).set(id).set(claim.owner()).set(claim.version()).update();
    return former;
  }

  /// Whether the device was the first owner's.
  boolean move(Tx tx, String id, String from, String to) throws SQLException {
    return tx.sql(MOVE).set(to).set(Home.of(id)).set(id).set(from).update() > 0;
  }

  void delete(Tx tx, String id, String owner) throws SQLException {
    tx.sql(DELETE).set(Home.of(id)).set(id).set(owner).update();
  }

  /// A claim of a later registration stays.
  void delete(Tx tx, String id, DeviceClaim claim) throws SQLException {
    tx.sql(DELETE_VERSION)
        .set(Home.of(id))
        .set(id)
        .set(claim.owner())
        .set(claim.version())
        .update();
  }

  /// The owners of those devices that have one.
  Map<String, String> owners(Tx tx, Collection<String> ids) throws SQLException {
    Map<String, String> owners = new HashMap<>();
    tx.sql(OWNERS, List.copyOf(ids)).each(row -> owners.put(row.textAt(1), row.textAt(2)));
    return owners;
  }
}
