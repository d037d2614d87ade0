package dev.torg.server.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.server.config.Configuration;
import dev.torg.server.config.Setting;
import dev.torg.server.config.SettingValues;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExposureWarningsTest {
  @Test
  void of_default_isQuiet() {
    assertThat(warnings(Map.of())).isEmpty();
  }

  @Test
  void of_hostThatOthersReach_warnsOfClearTextAndReportsThatTheLoginIsOff() {
    assertThat(warnings(Map.of(Setting.HOST, "0.0.0.0")))
        .hasSize(2)
        .anySatisfy(warning -> assertThat(warning).contains("0.0.0.0", "clear text"))
        .anySatisfy(warning -> assertThat(warning).contains("development login is off"));
  }

  @Test
  void of_insecureLogin_warnsThatAnyCallerCanBeAnyUser() {
    assertThat(warnings(Map.of(Setting.LOGIN, "insecure")))
        .singleElement()
        .asString()
        .contains("login=insecure", "any user");
    assertThat(warnings(Map.of(Setting.LOGIN, "insecure", Setting.HOST, "::"))).hasSize(2);
  }

  private static List<String> warnings(Map<Setting, String> options) {
    return ExposureWarnings.of(
        Configuration.of(SettingValues.read(options, Map.of(), Optional.empty())));
  }
}
