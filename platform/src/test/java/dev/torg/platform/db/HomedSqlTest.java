package dev.torg.platform.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.platform.Home;
import java.util.List;
import org.junit.jupiter.api.Test;

class HomedSqlTest {
  private static final HomedSql SQL =
      HomedSql.of("SELECT 1 FROM offer o WHERE o.id = ? AND :home(o)");

  @Test
  void text_batchOfOneHome_keepsToThatHome() {
    assertThat(text(3, 3, 3)).isEqualTo("SELECT 1 FROM offer o WHERE o.id = ? AND o.home = ?");
  }

  @Test
  void text_batchOfManyHomesOrNone_doesNot() {
    String open = "SELECT 1 FROM offer o WHERE o.id = ? AND TRUE";
    assertThat(text(3, 4)).isEqualTo(open);
    assertThat(text()).isEqualTo(open);
  }

  @Test
  void of_textWithoutMark_isRefused() {
    assertThatThrownBy(() -> HomedSql.of("SELECT 1")).isInstanceOf(IllegalArgumentException.class);
  }

  private static String text(Integer... homes) {
    return SQL.text(HomedSql.commonHome(List.of(homes), Home::new));
  }
}
