package dev.torg.offers.draft;

import java.util.Optional;

/// Which draft goes on when somebody opens one: their own or the one they brought along from before
/// they logged in, and whether it starts over.
///
/// | wanted category | neither draft | one draft | both drafts |
/// |---|---|---|---|
/// | none | a new one | that one | the one updated last |
/// | one has it | | that one | the one that has it |
/// | both have it | | | the one updated last |
/// | neither has it | a new one | that one, reset | the caller's own, reset |
record DraftChoice(Winner winner, boolean reset) {
  enum Winner {
    NEW,
    OWN,
    ANONYMOUS
  }

  static DraftChoice between(
      Optional<DraftRow> own, Optional<DraftRow> brought, Optional<String> wanted) {
    if (own.isEmpty() && brought.isEmpty()) {
      return new DraftChoice(Winner.NEW, false);
    }
    Optional<DraftRow> fittingOwn = own.filter(draft -> fits(draft, wanted));
    Optional<DraftRow> fittingBrought = brought.filter(draft -> fits(draft, wanted));
    if (fittingOwn.isEmpty() && fittingBrought.isEmpty()) {
      return new DraftChoice(own.isPresent() ? Winner.OWN : Winner.ANONYMOUS, true);
    }
    return new DraftChoice(latest(fittingOwn, fittingBrought), false);
  }

  private static boolean fits(DraftRow draft, Optional<String> wanted) {
    return wanted.isEmpty() || draft.content().getCategory().equals(wanted.get());
  }

  /// At least one of them is there; of two updated at the same moment the own one.
  private static Winner latest(Optional<DraftRow> own, Optional<DraftRow> brought) {
    if (own.isEmpty()) {
      return Winner.ANONYMOUS;
    }
    boolean newer =
        brought.filter(draft -> draft.updatedAt().isAfter(own.get().updatedAt())).isPresent();
    return newer ? Winner.ANONYMOUS : Winner.OWN;
  }
}
