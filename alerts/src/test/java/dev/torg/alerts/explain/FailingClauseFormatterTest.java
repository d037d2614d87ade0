package dev.torg.alerts.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailingClauseFormatterTest {
  @Test
  void shown_fewAndShort_areTheSame() {
    assertThat(FailingClauseFormatter.shown(List.of("text=blue"))).containsExactly("text=blue");
  }

  @Test
  void shown_manyAndLong_areFewerAndShorter() {
    List<String> clauses = Collections.nCopies(64, "brand=" + "é🚗".repeat(10_000));
    List<String> shown = FailingClauseFormatter.shown(clauses);
    assertThat(shown).hasSize(FailingClauseFormatter.MAX_CLAUSES);
    assertThat(shown.getFirst().codePointCount(0, shown.getFirst().length()))
        .isEqualTo(FailingClauseFormatter.MAX_CLAUSE_CHARACTERS);
    assertThat(shown.getFirst()).startsWith("brand=é").endsWith("…");
  }
}
