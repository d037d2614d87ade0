package dev.torg.cli;

import dev.torg.platform.relay.BlockedKey;
import dev.torg.platform.relay.BlockedKeyStore;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Keys whose events Kafka refuses: the events wait in the outbox, in order, while all others pass.
@Command(
    name = "blocked",
    description = "Lists or retries keys whose events Kafka refuses.",
    subcommands = {BlockedCommand.ListBlocked.class, BlockedCommand.Retry.class})
final class BlockedCommand implements Runnable {
  @Spec CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "torg blocked: list or retry?");
  }

  @Command(name = "list", description = "Lists blocked keys, oldest first, with the reasons.")
  static final class ListBlocked implements Runnable {
    @Spec CommandSpec spec;

    @Option(
        names = "--at-most",
        paramLabel = "COUNT",
        defaultValue = "100",
        description = "how many (default 100)")
    private int limit;

    @Override
    public void run() {
      PrintWriter out = spec.commandLine().getOut();
      OperatorDatabase.use(
          spec,
          database -> {
            BlockedKeyStore blockedKeys = new BlockedKeyStore(database);
            List<BlockedKey> keys = blockedKeys.list(limit);
            keys.forEach(key -> out.println(line(key)));
            out.println(keys.isEmpty() ? "nothing is blocked" : blockedKeys.count() + " blocked");
          });
    }
  }

  @Command(
      name = "retry",
      description = "Has the relay try blocked keys now, instead of at their next turn.")
  static final class Retry implements Runnable {
    @Spec CommandSpec spec;

    @Option(
        names = "--topic",
        paramLabel = "NAME",
        defaultValue = "",
        description = "only this topic's keys")
    private String topic;

    @Override
    public void run() {
      OperatorDatabase.use(
          spec,
          database -> {
            BlockedKeyStore blockedKeys = new BlockedKeyStore(database);
            int count = topic.isEmpty() ? blockedKeys.retryAll() : blockedKeys.retry(topic);
            spec.commandLine().getOut().println(count + " will be tried again");
          });
    }
  }

  private static String line(BlockedKey blocked) {
    return "%s  %s  key %s  after %d attempts, next %s: %s"
        .formatted(
            blocked.blockedAt(),
            blocked.topic(),
            blocked.key(),
            blocked.attempts(),
            blocked.retryAt(),
            blocked.reason());
  }
}
