package dev.torg.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PageSizeTest {
  private final PageSize size = new PageSize(50, 200);

  @Test
  void of_zero_isTheDefault() {
    assertThat(size.of(0)).isEqualTo(50);
  }

  @Test
  void of_upToTheMaximum_isTheRequest() {
    assertThat(size.of(1)).isEqualTo(1);
    assertThat(size.of(200)).isEqualTo(200);
  }

  @Test
  void of_outsideTheRange_isInvalid() {
    assertThatThrownBy(() -> size.of(201)).isInstanceOf(Failure.class);
    assertThatThrownBy(() -> size.of(-1)).isInstanceOf(Failure.class);
  }
}
