package dev.torg.cli;

import dev.torg.server.config.Configuration;
import dev.torg.server.config.Setting;
import dev.torg.server.config.SettingValues;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/// Turns the table of settings into options of a command, and the parsed options into a configuration.
final class SettingOptions {
  private static final String CONFIG = "--config";

  private SettingOptions() {}

  static void addTo(CommandSpec command, Set<Setting> settings) {
    command.addOption(
        OptionSpec.builder(CONFIG)
            .paramLabel("FILE")
            .type(Path.class)
            .description("a file of settings, key=value a line")
            .build());
    for (Setting setting : settings) {
      command.addOption(
          OptionSpec.builder(setting.option())
              .paramLabel(setting.placeholder())
              .type(String.class)
              .description(setting.description() + defaultOf(setting))
              .build());
    }
  }

  static Configuration configuration(ParseResult parsed) {
    return Configuration.of(settings(parsed, Map.of()));
  }

  static SettingValues settings(ParseResult parsed, Map<Setting, String> fixed) {
    Map<Setting, String> options = new EnumMap<>(Setting.class);
    for (Setting setting : Setting.values()) {
      if (parsed.hasMatchedOption(setting.option())) {
        options.put(setting, parsed.<String>matchedOptionValue(setting.option(), ""));
      }
    }
    options.putAll(fixed);
    return SettingValues.read(options, System.getenv(), file(parsed));
  }

  private static Optional<Path> file(ParseResult parsed) {
    Path option =
        parsed.hasMatchedOption(CONFIG)
            ? parsed.<Path>matchedOptionValue(CONFIG, Path.of(""))
            : null;
    return Optional.ofNullable(option)
        .or(() -> Optional.ofNullable(System.getenv("TORG_CONFIG")).map(Path::of));
  }

  private static String defaultOf(Setting setting) {
    return setting.defaultValue().isEmpty() ? "" : " (default " + setting.defaultValue() + ")";
  }
}
