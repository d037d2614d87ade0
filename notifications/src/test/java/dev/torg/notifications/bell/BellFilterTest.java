package dev.torg.notifications.bell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BellFilterTest {
  @ParameterizedTest
  @CsvSource({
    "false, , 'false,true'",
    "true, , 'false'",
    "false, true, 'true'",
    "false, false, 'false'",
    "true, false, 'false'",
    "true, true, ''"
  })
  void readStates_areThoseThatBothFiltersAllow(boolean unreadOnly, Boolean read, String expected) {
    BellFilter filter = new BellFilter(List.of(), unreadOnly, Optional.ofNullable(read));
    assertThat(String.join(",", filter.readStates().stream().map(String::valueOf).toList()))
        .isEqualTo(expected);
  }

  @Test
  void topics_repeated_areDistinct() {
    assertThat(new BellFilter(List.of("a", "b", "a"), false, Optional.empty()).topics())
        .containsExactly("a", "b");
  }
}
