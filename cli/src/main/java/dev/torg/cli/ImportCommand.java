package dev.torg.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/// Imports data of other systems.
@Command(
    name = "import",
    description = "Imports offers from files.",
    subcommands = {ImportOffersCommand.class, ImportFeedCommand.class})
final class ImportCommand implements Runnable {
  @CommandLine.Spec CommandLine.Model.CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "torg import: of what?");
  }
}
