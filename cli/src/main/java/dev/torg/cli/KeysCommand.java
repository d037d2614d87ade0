package dev.torg.cli;

import dev.torg.server.run.TokenServiceFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The keys that sign Torg's own tokens.
@Command(
    name = "keys",
    description = "Rotates the keys that sign tokens.",
    subcommands = KeysCommand.Rotate.class)
final class KeysCommand implements Runnable {
  @Spec CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "torg keys: rotate?");
  }

  @Command(
      name = "rotate",
      description =
          "Signs with a new key from now on, in running servers too. Tokens already given stay valid until they expire.")
  static final class Rotate implements Runnable {
    @Spec CommandSpec spec;

    @Override
    public void run() {
      int older =
          TokenServiceFactory.existing(
                  SettingOptions.configuration(spec.commandLine().getParseResult()))
              .rotateKeys();
      spec.commandLine()
          .getOut()
          .printf(
              "a new key signs from now on; %d older verify until their tokens expire%n", older);
    }
  }
}
