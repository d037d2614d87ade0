package dev.torg.cli;

import dev.torg.server.config.Configuration;
import dev.torg.server.config.InvalidSettingException;
import dev.torg.server.run.Torg;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// Runs the chosen roles as one process of a cluster. Other processes could not share embedded servers, so it
/// embeds none.
@Command(
    name = "serve",
    description =
        "Runs some roles as one of any number of processes, on a given database and Kafka (--db, --kafka).")
final class ServeCommand implements Callable<Integer> {
  @CommandLine.Spec CommandLine.Model.CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    Configuration configuration = SettingOptions.configuration(spec.commandLine().getParseResult());
    if (configuration.isEmbedded()) {
      throw new InvalidSettingException(
          "db", "must be given to serve, and kafka; `torg up` embeds both");
    }
    Torg torg = Torg.start(configuration, spec.commandLine().getErr()::println);
    spec.commandLine().getOut().println("Torg serves at " + torg.running().address());
    return torg.awaitEnd();
  }
}
