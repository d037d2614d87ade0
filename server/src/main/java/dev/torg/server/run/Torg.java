package dev.torg.server.run;

import dev.torg.platform.outbox.Outbox;
import dev.torg.server.Rpc;
import dev.torg.server.config.Configuration;
import java.util.List;
import java.util.function.Consumer;

/// A running Torg: everything its roles need, started in order and ended in the opposite one.
///
/// The end: the server stops accepting and drains, background work leaves its leases, coalescers
/// drain, then the pool, the servers and the data directory go.
public final class Torg implements AutoCloseable {
  private final Ending ending;
  private final RunningTorg running;

  private Torg(Ending ending, RunningTorg running) {
    this.ending = ending;
    this.running = running;
  }

  public static Torg start(Configuration configuration, Consumer<String> progress) {
    return start(configuration, progress, (url, outbox) -> List.of());
  }

  /// @param more further services on the same port and database, for benchmarks that compare
  public static Torg start(Configuration configuration, Consumer<String> progress, MoreRpcs more) {
    Logging.configure(configuration);
    Ending ending = new Ending();
    Runtime.getRuntime().addShutdownHook(new Thread(ending::end, "torg-end"));
    try {
      return new Torg(ending, new Start(configuration, ending, more).run(progress));
    } catch (RuntimeException | Error e) {
      ending.close();
      throw e;
    } finally {
      ending.startIsOver();
    }
  }

  /// Services beside the rooms' own.
  public interface MoreRpcs {
    List<Rpc> on(String databaseUrl, Outbox outbox);
  }

  public RunningTorg running() {
    return running;
  }

  /// Waits until somebody ends it, by Ctrl-C as a rule, and gives the exit code: 1 when it ended because it could not
  /// go on.
  public int awaitEnd() throws InterruptedException {
    return ending.await();
  }

  @Override
  public void close() {
    ending.close();
  }
}
