package dev.torg.notifications.http;

import java.time.Duration;

/// Timeouts for a busy machine.
public final class TestTimeouts {
  public static final HttpTimeouts LONG =
      new HttpTimeouts(Duration.ofSeconds(60), Duration.ofSeconds(60), Duration.ofSeconds(60));

  private TestTimeouts() {}
}
