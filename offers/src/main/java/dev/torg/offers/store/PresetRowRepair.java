package dev.torg.offers.store;

import dev.torg.api.v1.Preset.Name;
import dev.torg.offers.store.PresetRepairStore.Owned;
import dev.torg.offers.store.PresetStore.Listed;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Corrects the preset rows of a seller by comparing them with the offers, a page at a time, each under the
/// locks of its offers' main rows. The caller corrects the counts.
public final class PresetRowRepair {
  /// Small enough that concurrent writers of these offers are hardly delayed.
  private static final int PAGE_SIZE = 200;

  private final Database database;
  private final OfferStore offers = new OfferStore();
  private final ArchiveStore archive = new ArchiveStore();
  private final PresetStore presets = new PresetStore();
  private final PresetRepairStore repairs = new PresetRepairStore();

  public PresetRowRepair(Database database) {
    this.database = database;
  }

  /// Returns how many rows were missing or superfluous.
  public int run(String seller) {
    int corrected = 0;
    Owned last = new Owned(Instant.EPOCH, new OfferId(0));
    while (true) {
      Owned after = last;
      List<Owned> page = database.read(tx -> repairs.offers(tx, seller, after, PAGE_SIZE));
      if (page.isEmpty()) {
        return corrected;
      }
      corrected += database.inTransaction(tx -> relist(tx, seller, page));
      last = page.getLast();
    }
  }

  private int relist(Tx tx, String seller, List<Owned> page) throws SQLException {
    Map<OfferId, Presets> expected = expected(tx, page);
    Map<OfferId, Set<Name>> listed = repairs.listed(tx, seller, page);
    List<Listed> missing = new ArrayList<>();
    List<Listed> extra = new ArrayList<>();
    for (Owned owned : page) {
      List<Name> names = expected.getOrDefault(owned.offer(), Presets.NONE).names();
      Set<Name> actual = listed.getOrDefault(owned.offer(), Set.of());
      names.stream()
          .filter(name -> !actual.contains(name))
          .forEach(name -> missing.add(row(seller, name, owned)));
      actual.stream()
          .filter(name -> !names.contains(name))
          .forEach(name -> extra.add(row(seller, name, owned)));
    }
    presets.add(tx, missing);
    presets.remove(tx, extra);
    repairs.setPresets(tx, expected);
    return missing.size() + extra.size();
  }

  private Map<OfferId, Presets> expected(Tx tx, List<Owned> page) throws SQLException {
    List<OfferId> ids = page.stream().map(Owned::offer).sorted().toList();
    List<OfferStore.LockedRow> rows = offers.lock(tx, ids);
    Map<OfferId, byte[]> archived = archive.read(tx, OfferStore.archived(rows));
    Map<OfferId, Presets> expected = new HashMap<>();
    for (OfferStore.LockedRow row : rows) {
      byte[] body = row.body() != null ? row.body() : archived.get(row.id());
      if (body != null) {
        expected.put(row.id(), Presets.of(OfferStore.parse(body)));
      }
    }
    return expected;
  }

  private static Listed row(String seller, Name name, Owned owned) {
    return new Listed(Home.of(seller), seller, name, owned.createdAt(), owned.offer());
  }
}
