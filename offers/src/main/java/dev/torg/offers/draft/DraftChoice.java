package dev.torg.offers.draft;

import java.util.Optional;

/// Chooses the draft that a caller continues when opening one, the caller's own or the anonymous one from
/// before login, and whether its content is reset.
///
/// | requested category | neither draft | one draft | both drafts |
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
      Optional<DraftRow> own, Optional<DraftRow> anonymous, Optional<String> category) {
    if (own.isEmpty() && anonymous.isEmpty()) {
      return new DraftChoice(Winner.NEW, false);
    }
    Optional<DraftRow> fittingOwn = own.filter(draft -> fits(draft, category));
    Optional<DraftRow> fittingAnonymous = anonymous.filter(draft -> fits(draft, category));
    if (fittingOwn.isEmpty() && fittingAnonymous.isEmpty()) {
      return new DraftChoice(own.isPresent() ? Winner.OWN : Winner.ANONYMOUS, true);
    }
    return new DraftChoice(latest(fittingOwn, fittingAnonymous), false);
  }

  private static boolean fits(DraftRow draft, Optional<String> category) {
    return category.isEmpty() || draft.content().getCategory().equals(category.get());
  }

  /// At least one of them is present. If both were updated at the same time, the caller's own draft is
  /// chosen.
  private static Winner latest(Optional<DraftRow> own, Optional<DraftRow> anonymous) {
    if (own.isEmpty()) {
      return Winner.ANONYMOUS;
    }
    boolean newer =
        anonymous.filter(draft -> draft.updatedAt().isAfter(own.get().updatedAt())).isPresent();
    return newer ? Winner.ANONYMOUS : Winner.OWN;
  }
}
