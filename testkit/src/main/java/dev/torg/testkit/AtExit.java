package dev.torg.testkit;

import java.util.concurrent.ConcurrentLinkedDeque;

/// Closes what the tests of this JVM share when the JVM exits, in the reverse order of the starts: a server
/// before the database that it uses.
public final class AtExit {
  private static final ConcurrentLinkedDeque<Runnable> ACTIONS = new ConcurrentLinkedDeque<>();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(AtExit::runAll, "test-servers-end"));
  }

  private AtExit() {}

  public static void run(Runnable action) {
    ACTIONS.push(action);
  }

  private static void runAll() {
    for (Runnable action = ACTIONS.poll(); action != null; action = ACTIONS.poll()) {
      try {
        action.run();
      } catch (RuntimeException e) {
        e.printStackTrace();
      }
    }
  }
}
