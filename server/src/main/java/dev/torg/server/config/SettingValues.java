package dev.torg.server.config;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;

/// The values of the settings, by precedence: command line, environment, file, default. An unknown
/// name stops the program with that name.
public final class SettingValues {
  /// Environment variables that are not settings: those of the script and the tests.
  private static final Set<String> OTHER_VARIABLES =
      Set.of("TORG_JAVA_OPTS", "TORG_CONFIG", "TORG_TEST_DB", "TORG_TEST_KAFKA");

  private final Map<Setting, String> values;

  private SettingValues(Map<Setting, String> values) {
    this.values = values;
  }

  /// @param options the options of the command line
  /// @param environment the process's environment; only names that start with TORG_ are read
  /// @param file the configuration file
  public static SettingValues read(
      Map<Setting, String> options, Map<String, String> environment, Optional<Path> file) {
    Map<Setting, String> values = new EnumMap<>(Setting.class);
    file.ifPresent(path -> putFile(values, path));
    putEnvironment(values, environment);
    values.putAll(options);
    return new SettingValues(values);
  }

  String value(Setting setting) {
    return values.getOrDefault(setting, setting.defaultValue());
  }

  private static void putEnvironment(Map<Setting, String> values, Map<String, String> environment) {
    for (Map.Entry<String, String> variable : environment.entrySet()) {
      if (variable.getKey().startsWith("TORG_") && !OTHER_VARIABLES.contains(variable.getKey())) {
        values.put(ofVariable(variable.getKey()), variable.getValue());
      }
    }
  }

  private static Setting ofVariable(String name) {
    for (Setting setting : Setting.values()) {
      if (setting.variable().equals(name)) {
        return setting;
      }
    }
    throw new InvalidSettingException(
        name, "is no setting of Torg; docs/configuration.md lists them");
  }

  private static void putFile(Map<Setting, String> values, Path file) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      properties.load(reader);
    } catch (IOException e) {
      throw new InvalidSettingException("config", "cannot read " + file + ": " + e.getMessage());
    }
    for (String key : properties.stringPropertyNames()) {
      Setting setting =
          Setting.named(key)
              .orElseThrow(
                  () ->
                      new InvalidSettingException(
                          key,
                          "is no setting of Torg (in "
                              + file
                              + "); docs/configuration.md lists them"));
      values.put(setting, properties.getProperty(key));
    }
  }
}
