package dev.torg.favorites;

import java.util.function.BiPredicate;

/// One step of the login merge: moves one kind of data of an anonymous identity to a login. The anonymous
/// side is closed before the first step.
public interface LoginMergeStep {
  /// For logs.
  String name();

  /// Moves at most a page and returns whether there may be more. It may be repeated after a crash and run
  /// by two processes at once: nothing may be moved twice, and nothing lost.
  boolean page(String anonymous, String login);

  static LoginMergeStep named(String name, BiPredicate<String, String> page) {
    return new LoginMergeStep() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public boolean page(String anonymous, String login) {
        return page.test(anonymous, login);
      }
    };
  }
}
