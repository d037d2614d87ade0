package dev.torg.server.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.platform.Failure;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ShutdownStackTest {
  private final ShutdownStack ending = new ShutdownStack();
  private final List<String> ended = new CopyOnWriteArrayList<>();

  private AutoCloseable part(String name) {
    return () -> ended.add(name);
  }

  @Test
  void close_endsInTheOppositeOrder_evenWhenAPartFails() throws Exception {
    ending.add(part("first"));
    ending.add(
        () -> {
          throw new IllegalStateException("on purpose");
        });
    ending.add(part("last"));
    ending.close();
    assertThat(ended).containsExactly("last", "first");
    assertThat(ending.await()).isZero();
  }

  @Test
  void end_whileStarting_waitsForThePartInProgressAndEndsItToo() throws Exception {
    ending.add(part("first"));
    Thread hook = Thread.ofPlatform().start(ending::end);
    awaitWaiting(hook);
    assertThat(ended).isEmpty();
    assertThatThrownBy(() -> ending.add(part("in hand"))).isInstanceOf(Failure.class);
    ending.startIsOver();
    assertThat(hook.join(java.time.Duration.ofSeconds(10))).isTrue();
    assertThat(ended).containsExactly("in hand", "first");
  }

  @Test
  void fail_endsEverythingWithAnExitCode() throws Exception {
    ending.add(part("only"));
    ending.startIsOver();
    ending.fail("the disk is gone");
    assertThat(ended).containsExactly("only");
    assertThat(ending.await()).isEqualTo(1);
  }

  private static void awaitWaiting(Thread thread) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (thread.getState() != Thread.State.TIMED_WAITING && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
  }
}
