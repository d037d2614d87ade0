package dev.torg.bench.process;

import dev.torg.embedded.EmbeddedPostgres;
import dev.torg.server.run.RunningInstance;
import java.nio.file.Path;

/// The address of an embedded PostgreSQL for its superuser: Torg's own role may neither change settings of the whole
/// server nor write a checkpoint.
public final class SuperuserAddress {
  private SuperuserAddress() {}

  /// @param data the data directory of the process
  public static String of(RunningInstance running, Path data) {
    String address = running.database().replaceFirst("\\?.*$", "");
    String superuser =
        EmbeddedPostgres.superuserParameters(data.resolve("postgres"))
            .orElseThrow(() -> new IllegalStateException("no embedded PostgreSQL in " + data));
    return "jdbc:" + address + "?" + superuser;
  }
}
