package dev.torg.offers.draft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.offers.draft.DraftChoice.Winner;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DraftChoiceTest {
  private static final Instant EARLY = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant LATER = EARLY.plusSeconds(60);

  /// The categories of both drafts, or none; which of two is newer; the requested category.
  record Case(String own, String anonymous, boolean anonymousIsNewer, String category) {}

  static List<Case> allCases() {
    List<Case> cases = new ArrayList<>();
    for (String own : List.of("none", "cars", "jobs")) {
      for (String anonymous : List.of("none", "cars", "jobs")) {
        for (boolean newer : new boolean[] {true, false}) {
          for (String category : List.of("none", "cars", "comics")) {
            cases.add(new Case(own, anonymous, newer, category));
          }
        }
      }
    }
    return cases;
  }

  /// The rules, written independently from their description.
  private static DraftChoice expected(Case c) {
    boolean own = !c.own().equals("none");
    boolean anonymous = !c.anonymous().equals("none");
    Winner last = c.anonymousIsNewer() ? Winner.ANONYMOUS : Winner.OWN;
    if (!own && !anonymous) {
      return new DraftChoice(Winner.NEW, false);
    }
    if (c.category().equals("none")) {
      Winner only = own ? Winner.OWN : Winner.ANONYMOUS;
      return new DraftChoice(own && anonymous ? last : only, false);
    }
    boolean ownHas = c.own().equals(c.category());
    boolean anonymousHas = c.anonymous().equals(c.category());
    if (ownHas && anonymousHas) {
      return new DraftChoice(last, false);
    }
    if (ownHas || anonymousHas) {
      return new DraftChoice(ownHas ? Winner.OWN : Winner.ANONYMOUS, false);
    }
    return new DraftChoice(own ? Winner.OWN : Winner.ANONYMOUS, true);
  }

  @ParameterizedTest
  @MethodSource("allCases")
  void between_everyCombination_followsTheRules(Case c) {
    Optional<DraftRow> own = draft("user:1", c.own(), c.anonymousIsNewer() ? EARLY : LATER);
    Optional<DraftRow> anonymous =
        draft("anon:1", c.anonymous(), c.anonymousIsNewer() ? LATER : EARLY);
    Optional<String> category = Optional.of(c.category()).filter(w -> !w.equals("none"));
    assertThat(DraftChoice.between(own, anonymous, category)).isEqualTo(expected(c));
  }

  private static Optional<DraftRow> draft(String owner, String category, Instant at) {
    return category.equals("none")
        ? Optional.empty()
        : Optional.of(DraftRow.empty(UUID.randomUUID(), owner, category, at));
  }
}
