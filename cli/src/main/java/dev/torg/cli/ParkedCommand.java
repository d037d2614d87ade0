package dev.torg.cli;

import dev.torg.platform.Failure;
import dev.torg.platform.db.Database;
import dev.torg.platform.topics.Parked;
import dev.torg.platform.topics.ParkedEvent;
import dev.torg.server.config.Configuration;
import dev.torg.server.run.RunningTorg;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.List;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Records that could not be processed: set aside with their reason, so that they stand in nobody's way.
@Command(name = "parked", description = "Lists or replays records that could not be processed.")
final class ParkedCommand implements Runnable {
  @Spec CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "torg parked: list or replay?");
  }

  @Command(name = "list", description = "Lists what is parked, oldest first, with the reasons.")
  int list(@Option(names = "--at-most", defaultValue = "100", description = "how many (default 100)") int atMost) {
    return withParked(
        parked -> {
          List<ParkedEvent> events = parked.list(atMost);
          events.forEach(event -> out().println(line(event)));
          out().println(events.isEmpty() ? "nothing is parked" : events.size() + " parked");
          return 0;
        });
  }

  @Command(name = "replay", description = "Asks the consumers to try what is parked once more.")
  int replay(@Option(names = "--consumer", defaultValue = "", description = "only this consumer's records") String consumer) {
    return withParked(
        parked -> {
          int count = consumer.isEmpty() ? parked.replayAll() : parked.replay(consumer);
          out().println(count + " will be tried again");
          return 0;
        });
  }

  private int withParked(ToIntFunction<Parked> action) {
    Configuration configuration = SettingOptions.configuration(spec.commandLine().getParseResult().subcommand());
    try (Database database = Database.connect(databaseUrl(configuration), 4)) {
      return action.applyAsInt(new Parked(database, InstantSource.system()));
    }
  }

  private static String databaseUrl(Configuration configuration) {
    return configuration
        .database()
        .or(() -> RunningTorg.read(configuration.data()).map(running -> "jdbc:" + running.database()))
        .orElseThrow(() -> Failure.unavailable("torg.not-running", "no Torg runs on " + configuration.data(), null));
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
            parked.replayAsked() ? ", to be tried again" : "",
            parked.reason());
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
