package dev.torg.cli;

import dev.torg.platform.kafka.ParkedEvent;
import dev.torg.platform.kafka.ParkedEventStore;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Records that could not be processed: stored with their reason, so that they block no others.
@Command(
    name = "parked",
    description = "Lists or replays records that could not be processed.",
    subcommands = {ParkedCommand.ListParked.class, ParkedCommand.Replay.class})
final class ParkedCommand implements Runnable {
  @Spec CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "torg parked: list or replay?");
  }

  @Command(name = "list", description = "Lists parked records, oldest first, with the reasons.")
  static final class ListParked implements Runnable {
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
      withParked(
          spec,
          parkedEvents -> {
            List<ParkedEvent> events = parkedEvents.list(limit);
            events.forEach(event -> out.println(line(event)));
            out.println(events.isEmpty() ? "nothing is parked" : events.size() + " parked");
          });
    }
  }

  @Command(name = "replay", description = "Requests that the consumers retry parked records.")
  static final class Replay implements Runnable {
    @Spec CommandSpec spec;

    @Option(
        names = "--consumer",
        paramLabel = "NAME",
        defaultValue = "",
        description = "only this consumer's records")
    private String consumer;

    @Override
    public void run() {
      withParked(
          spec,
          parkedEvents -> {
            int count =
                consumer.isEmpty() ? parkedEvents.replayAll() : parkedEvents.replay(consumer);
            spec.commandLine().getOut().println(count + " will be tried again");
          });
    }
  }

  private static void withParked(CommandSpec spec, Consumer<ParkedEventStore> action) {
    OperatorDatabase.use(
        spec, database -> action.accept(new ParkedEventStore(database, InstantSource.system())));
  }

  private static String line(ParkedEvent parked) {
    return "%s  %s  %s[%d]@%d  key %s  after %d attempts%s: %s"
        .formatted(
            parked.parkedAt(),
            parked.consumer(),
            parked.event().topic(),
            parked.event().partition(),
            parked.event().offset(),
            parked.event().key(),
            parked.attempts(),
            parked.replayRequested() ? ", to be tried again" : "",
            parked.reason());
  }
}
