package dev.torg.platform.lease;

import dev.torg.platform.db.Database;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// This process's part in the background work that all processes share.
///
///     leases.work("relay", relay);
///
/// Each process holds at most its share of the 16 groups, so a newcomer gets its own within two
/// renewals; a process that dies leaves its share to the others when its leases run out, eight
/// seconds after it last renewed them; one that closes leaves it at once.
public final class Leases implements AutoCloseable {
  private final Database database;
  private final String owner;
  private final List<LeaseKeeper> keepers = new ArrayList<>();

  public Leases(Database database) {
    this(database, "%d-%s".formatted(ProcessHandle.current().pid(), UUID.randomUUID()));
  }

  /// The owner's name must be one that no other process has or had.
  public Leases(Database database, String owner) {
    this.database = database;
    this.owner = owner;
  }

  public String owner() {
    return owner;
  }

  /// Takes part in the named work from now on.
  public synchronized void work(String name, LeasedWork work) {
    LeaseKeeper keeper = new LeaseKeeper(database, name, owner, work);
    keepers.add(keeper);
    keeper.start();
  }

  /// The groups of the named work that this process holds now.
  public synchronized List<Integer> held(String name) {
    return keepers.stream()
        .filter(keeper -> keeper.work().equals(name))
        .flatMap(keeper -> keeper.held().stream())
        .map(Lease::group)
        .sorted()
        .toList();
  }

  /// Lets every step come to its end, then gives the leases back.
  @Override
  public synchronized void close() {
    keepers.forEach(LeaseKeeper::stop);
    keepers.forEach(LeaseKeeper::awaitEnd);
    keepers.clear();
  }
}
