package dev.torg.server.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.platform.Failure;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ShutdownStackTest {
  private final ShutdownStack shutdown = new ShutdownStack();
  private final List<String> ended = new CopyOnWriteArrayList<>();

  private AutoCloseable part(String name) {
    return () -> ended.add(name);
  }

  @Test
  void close_endsInTheOppositeOrder_evenWhenAPartFails() throws Exception {
    shutdown.add(part("first"));
    shutdown.add(
        () -> {
          throw new IllegalStateException("on purpose");
        });
    shutdown.add(part("last"));
    shutdown.close();
    assertThat(ended).containsExactly("last", "first");
    assertThat(shutdown.await()).isZero();
  }

  @Test
  void end_whileStarting_waitsForThePartInProgressAndEndsItToo() throws Exception {
    shutdown.add(part("first"));
    Thread hook = Thread.ofPlatform().start(shutdown::end);
    awaitWaiting(hook);
    assertThat(ended).isEmpty();
    assertThatThrownBy(() -> shutdown.add(part("in progress"))).isInstanceOf(Failure.class);
    shutdown.startEnded();
    assertThat(hook.join(java.time.Duration.ofSeconds(10))).isTrue();
    assertThat(ended).containsExactly("in progress", "first");
  }

  @Test
  void fail_endsEverythingWithAnExitCode() throws Exception {
    shutdown.add(part("only"));
    shutdown.startEnded();
    shutdown.fail("the disk is gone");
    assertThat(ended).containsExactly("only");
    assertThat(shutdown.await()).isEqualTo(1);
  }

  private static void awaitWaiting(Thread thread) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (thread.getState() != Thread.State.TIMED_WAITING && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
  }
}
