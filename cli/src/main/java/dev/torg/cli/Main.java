package dev.torg.cli;

import dev.torg.bench.Bench;
import dev.torg.bench.Verify;
import dev.torg.platform.Failure;
import dev.torg.server.config.InvalidSettingException;
import dev.torg.server.config.Setting;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.NoSuchFileException;
import java.util.EnumSet;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/// The `torg` command.
@Command(
    name = "torg",
    description = "Torg: the backend of a classifieds site in one program.",
    mixinStandardHelpOptions = true,
    version = "Torg 1.0",
    subcommands = {TestCommand.class, Bench.class, Verify.class, AotTrainCommand.class},
    footer = {"", "Start with:  torg up", "Settings of every command: docs/configuration.md"})
public final class Main implements Runnable {
  private static final Set<Setting> CLIENT_SETTINGS = EnumSet.of(Setting.DATA);

  /// The lifetimes decide how long a retired key must still verify.
  private static final Set<Setting> KEY_SETTINGS =
      EnumSet.of(
          Setting.DATA, Setting.KEYS, Setting.TOKEN_LIFETIME, Setting.ANONYMOUS_TOKEN_LIFETIME);

  private static final Set<Setting> STORE_SETTINGS =
      EnumSet.of(Setting.DATA, Setting.DB, Setting.DB_USER, Setting.DB_PASSWORD, Setting.KAFKA);

  @CommandLine.Spec CommandLine.Model.CommandSpec spec;

  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    CommandLine torg = new CommandLine(new Main());
    add(torg, new UpCommand(), EnumSet.complementOf(EnumSet.of(Setting.ROLES)));
    add(torg, new ServeCommand(), EnumSet.allOf(Setting.class));
    add(torg, new DemoCommand(), CLIENT_SETTINGS);
    addGroup(torg, new ImportCommand(), CLIENT_SETTINGS);
    add(torg, new TokenCommand(), KEY_SETTINGS);
    addGroup(torg, new KeysCommand(), KEY_SETTINGS);
    add(torg, new StatusCommand(), CLIENT_SETTINGS);
    addGroup(torg, new ParkedCommand(), STORE_SETTINGS);
    addGroup(torg, new BlockedCommand(), STORE_SETTINGS);
    everywhere(torg);
    return torg.setExecutionExceptionHandler((error, command, result) -> explain(error, command));
  }

  private static void add(CommandLine torg, Object command, Set<Setting> settings) {
    CommandLine line = new CommandLine(command);
    SettingOptions.addTo(line.getCommandSpec(), settings);
    torg.addSubcommand(line);
  }

  /// A command whose subcommands do the work and have the settings.
  private static void addGroup(CommandLine torg, Object command, Set<Setting> settings) {
    CommandLine line = new CommandLine(command);
    line.getSubcommands()
        .values()
        .forEach(part -> SettingOptions.addTo(part.getCommandSpec(), settings));
    torg.addSubcommand(line);
  }

  private static void everywhere(CommandLine command) {
    command.getCommandSpec().mixinStandardHelpOptions(true);
    command.getCommandSpec().usageMessage().width(110);
    command.getSubcommands().values().forEach(Main::everywhere);
  }

  /// Prints a failure that the user can fix as one sentence, and any other with its stack trace.
  private static int explain(Exception error, CommandLine command) throws Exception {
    switch (error) {
      case InvalidSettingException invalid ->
          command.getErr().println("torg: " + invalid.getMessage());
      case Failure failure -> explain(failure, command.getErr());
      case UncheckedIOException io -> command.getErr().println("torg: " + io.getMessage());
      case NoSuchFileException missing ->
          command.getErr().println("torg: there is no file " + missing.getFile());
      case CharacterCodingException _ -> command.getErr().println("torg: the file is not UTF-8");
      default -> throw error;
    }
    return CommandLine.ExitCode.SOFTWARE;
  }

  private static void explain(Failure failure, PrintWriter err) {
    err.println("torg: " + failure.getMessage());
    failure
        .violations()
        .forEach(wrong -> err.println("  " + wrong.field() + " " + wrong.message()));
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "torg: which command?");
  }
}
