package dev.torg.platform.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.platform.Home;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EachHomeTest {
  private static final List<Home> HOMES = List.of(new Home(1), new Home(2), new Home(3));

  @Test
  void run_oneHomeFails_othersStillRun() {
    List<Home> had = new ArrayList<>();
    assertThatThrownBy(
            () ->
                EachHome.run(
                    HOMES,
                    home -> {
                      had.add(home);
                      if (home.number() < 3) {
                        throw new IllegalStateException("home " + home.number());
                      }
                      return true;
                    }))
        .hasMessage("home 1")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    assertThat(had).isEqualTo(HOMES);
  }

  @Test
  void run_anyHasMore_returnsTrue() {
    assertThat(EachHome.run(HOMES, home -> home.number() == 1)).isTrue();
    assertThat(EachHome.run(HOMES, home -> false)).isFalse();
  }
}
