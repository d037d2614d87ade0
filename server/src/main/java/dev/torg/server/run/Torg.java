package dev.torg.server.run;

import dev.torg.platform.kafka.TopicSpec;
import dev.torg.platform.outbox.Outbox;
import dev.torg.server.config.Configuration;
import dev.torg.server.route.RpcBinding;
import java.util.List;
import java.util.function.Consumer;

/// A running Torg: everything its roles need, started in order and closed in reverse order.
///
/// Shutdown: the server stops accepting and drains, background work releases its leases, coalescers
/// drain, then the pool, the servers and the data directory are closed.
public final class Torg implements AutoCloseable {
  private final ShutdownStack shutdown;
  private final RunningInstance running;

  private Torg(ShutdownStack shutdown, RunningInstance running) {
    this.shutdown = shutdown;
    this.running = running;
  }

  public static Torg start(Configuration configuration, Consumer<String> progress) {
    return start(configuration, progress, (url, outbox) -> List.of());
  }

  /// @param more further services on the same port and database, for benchmarks that compare
  public static Torg start(Configuration configuration, Consumer<String> progress, MoreRpcs more) {
    Logging.configure(configuration);
    ShutdownStack shutdown = new ShutdownStack();
    Runtime.getRuntime().addShutdownHook(new Thread(shutdown::end, "torg-end"));
    try {
      return new Torg(shutdown, new Start(configuration, shutdown, more).run(progress));
    } catch (RuntimeException | Error e) {
      shutdown.close();
      throw e;
    } finally {
      shutdown.startEnded();
    }
  }

  /// The topics of all modules.
  public static List<TopicSpec> topics() {
    return Modules.TOPICS;
  }

  /// Services in addition to those of the modules.
  public interface MoreRpcs {
    List<RpcBinding> on(String databaseUrl, Outbox outbox);
  }

  public RunningInstance running() {
    return running;
  }

  /// Waits until a shutdown is requested, usually by Ctrl-C, and returns the exit code: 1 when the
  /// process ended because it could not continue.
  public int awaitEnd() throws InterruptedException {
    return shutdown.await();
  }

  @Override
  public void close() {
    shutdown.close();
  }
}
