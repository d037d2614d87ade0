package dev.torg.cli;

import dev.torg.server.run.Torg;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// Runs the chosen roles as one process of a cluster.
@Command(
    name = "serve",
    description =
        "Runs some roles as one of any number of processes, on a given database and Kafka (--db, --kafka).")
final class ServeCommand implements Callable<Integer> {
  @CommandLine.Spec CommandLine.Model.CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    Torg torg =
        Torg.start(
            SettingOptions.configuration(spec.commandLine().getParseResult()),
            spec.commandLine().getErr()::println);
    spec.commandLine().getOut().println("Torg serves at " + torg.running().address());
    return torg.awaitEnd();
  }
}
