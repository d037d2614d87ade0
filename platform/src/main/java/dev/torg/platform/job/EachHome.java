package dev.torg.platform.job;

import dev.torg.platform.Home;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Gives every home of a group its turn, whatever becomes of the others': a home whose work fails
/// fails again the next time, and would keep those behind it waiting for good.
public final class EachHome {
  private EachHome() {}

  /// Whether any of them says that there is more. The first failure is thrown when all had their turn,
  /// with the others attached.
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
