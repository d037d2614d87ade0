package dev.torg.platform.job;

import dev.torg.platform.Home;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Processes every home of a group, whatever the outcome of the others: a home whose work fails
/// would fail again the next time, and would block those after it permanently.
public final class EachHome {
  private EachHome() {}

  /// Returns whether any of them has more work. The first failure is thrown after all homes were
  /// processed, with the others attached.
  public static boolean run(List<Home> homes, Predicate<Home> work) {
    boolean more = false;
    RuntimeException failed = null;
    for (Home home : homes) {
      try {
        more |= work.test(home);
      } catch (RuntimeException e) {
        failed = joined(failed, e);
      }
    }
    if (failed != null) {
      throw failed;
    }
    return more;
  }

  private static RuntimeException joined(@Nullable RuntimeException first, RuntimeException next) {
    if (first == null) {
      return next;
    }
    if (first != next) {
      first.addSuppressed(next);
    }
    return first;
  }
}
