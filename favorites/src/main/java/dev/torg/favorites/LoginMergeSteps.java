package dev.torg.favorites;

import dev.torg.platform.Failure;
import java.util.function.BiPredicate;

/// Makes steps of a move from what other rooms offer: `LoginMergeSteps.named("bell", (a, l) -> …)`.
public final class LoginMergeSteps {
  private LoginMergeSteps() {}

  public static LoginMergeStep named(String name, BiPredicate<String, String> page) {
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

  public static Failure stopping() {
    return Failure.unavailable("server.stopping", "the server is stopping, try again", null);
  }
}
