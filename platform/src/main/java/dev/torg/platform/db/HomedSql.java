package dev.torg.platform.db;

import dev.torg.platform.Home;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// A statement about a batch of one home or of many. For `:home(o)` in the text, a batch of one home gets
/// `o.home = ?` and any other gets `TRUE`; no other parameter may follow it.
///
/// On Citus every batch is of one home, and this condition routes the statement to one shard, where it may lock
/// rows. On plain PostgreSQL it is omitted: for a table that has grown since it was last analyzed, a constant
/// home makes the planner expect a row or two, so that it compares every row of the home with every item of the
/// batch.
public final class HomedSql {
  private static final String MARK = ":home\\((\\w+)\\)";

  private final String ofOneHome;
  private final String ofManyHomes;

  private HomedSql(String ofOneHome, String ofManyHomes) {
    this.ofOneHome = ofOneHome;
    this.ofManyHomes = ofManyHomes;
  }

  /// The text is a constant.
  public static HomedSql of(String text) {
    String ofOneHome = text.replaceFirst(MARK, "$1.home = ?");
    if (ofOneHome.equals(text)) {
      throw new IllegalArgumentException("no :home(…) in " + text);
    }
    return new HomedSql(ofOneHome, text.replaceFirst(MARK, "TRUE"));
  }

  String text(Optional<Home> home) {
    return home.isPresent() ? ofOneHome : ofManyHomes;
  }

  static <T> Optional<Home> commonHome(List<T> items, Function<? super T, Home> home) {
    if (items.isEmpty()) {
      return Optional.empty();
    }
    Home first = home.apply(items.getFirst());
    for (T item : items) {
      if (!home.apply(item).equals(first)) {
        return Optional.empty();
      }
    }
    return Optional.of(first);
  }
}
