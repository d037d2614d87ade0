package dev.torg.platform.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PageBytesTest {
  private static final int MAX = PageBytes.MAX_PAGE_BYTES;

  private static int fitting(Integer... sizes) {
    return PageBytes.fitting(List.of(sizes), Integer::intValue);
  }

  @Test
  void fitting_whatFits_isAll() {
    assertThat(fitting()).isZero();
    assertThat(fitting(1, 2, 3)).isEqualTo(3);
    assertThat(fitting(MAX / 2, MAX / 2)).isEqualTo(2);
  }

  @Test
  void fitting_tooMuch_endsBeforeTheItemThatIsTooMuch() {
    assertThat(fitting(MAX / 2, MAX / 2, 1)).isEqualTo(2);
    assertThat(fitting(1, MAX, 1)).isEqualTo(1);
  }

  @Test
  void fitting_firstItemTooLarge_isOne() {
    assertThat(fitting(MAX + 1)).isOne();
    assertThat(fitting(Integer.MAX_VALUE, Integer.MAX_VALUE)).isOne();
  }
}
