package dev.torg.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigurationTest {
  @TempDir Path directory;

  @Test
  void of_nothingGiven_embedsEverythingOnLoopback() {
    Configuration configuration = configuration(Map.of(), Map.of(), "");
    assertThat(configuration.isEmbedded()).isTrue();
    assertThat(configuration.host()).isEqualTo("127.0.0.1");
    assertThat(configuration.login()).isTrue();
  }

  @Test
  void read_sameSettingEverywhere_commandLineBeatsEnvironmentBeatsFile() {
    assertThat(configuration(Map.of(Setting.PORT, "1"), Map.of("TORG_PORT", "2"), "port=3").port())
        .isEqualTo(1);
    assertThat(configuration(Map.of(), Map.of("TORG_PORT", "2"), "port=3").port()).isEqualTo(2);
    assertThat(configuration(Map.of(), Map.of(), "port=3").port()).isEqualTo(3);
  }

  @Test
  void read_unknownKeyInFile_namesIt() {
    assertThatThrownBy(() -> configuration(Map.of(), Map.of(), "prot=1"))
        .isInstanceOf(BadSetting.class)
        .hasMessageStartingWith("prot ");
  }

  @Test
  void read_unknownVariable_namesIt() {
    assertThatThrownBy(() -> configuration(Map.of(), Map.of("TORG_PROT", "1"), ""))
        .isInstanceOf(BadSetting.class)
        .hasMessageStartingWith("TORG_PROT ");
  }

  @ParameterizedTest
  @CsvSource({
    "PORT, seventy",
    "PORT, 70000",
    "DB, mysql://x",
    "ROLES, 'api,cook'",
    "LOGIN, perhaps",
    "TOKEN_LIFETIME, soon",
    "TOKEN_LIFETIME, PT-1H",
    "ALLOW_WEAK_KAFKA, maybe",
    "LOG_LEVEL, loud",
    "CATEGORIES, /no/such/file",
    "DB_CONNECTIONS, 1"
  })
  void of_badValue_namesTheKey(Setting setting, String value) {
    assertThatThrownBy(() -> configuration(Map.of(setting, value), Map.of(), ""))
        .isInstanceOf(BadSetting.class)
        .hasMessageStartingWith(setting.key() + " ");
  }

  @Test
  void of_loginOnWithGivenDatabase_isRefused() {
    Map<Setting, String> options =
        Map.of(
            Setting.DB, "jdbc:postgresql://db/torg", Setting.KAFKA, "k:9092", Setting.LOGIN, "on");
    assertThatThrownBy(() -> configuration(options, Map.of(), "")).hasMessageStartingWith("login ");
  }

  @Test
  void of_onlyOneServerGiven_asksForTheOther() {
    assertThatThrownBy(() -> configuration(Map.of(Setting.KAFKA, "k:9092"), Map.of(), ""))
        .hasMessageStartingWith("db ");
  }

  @Test
  void configurationPage_namesEverySetting() throws IOException {
    String page = Files.readString(Path.of("../docs/configuration.md"));
    for (Setting setting : Setting.values()) {
      assertThat(page).contains("| `" + setting.key() + "` |").contains(setting.description());
    }
  }

  private Configuration configuration(
      Map<Setting, String> options, Map<String, String> environment, String text) {
    try {
      Path file = Files.writeString(directory.resolve("torg.properties"), text);
      return Configuration.of(Settings.read(options, environment, Optional.of(file)));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
