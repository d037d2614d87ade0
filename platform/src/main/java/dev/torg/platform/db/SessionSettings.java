package dev.torg.platform.db;

import java.time.Duration;
import java.util.List;

/// What every session of the pool sets when it begins, so that the locks of a process or host that
/// vanished are released within half a minute, whoever runs the PostgreSQL server.
///
/// - A session that is idle inside its transaction is ended after 15 seconds. No transaction of Torg
///   waits for anything but the database between two statements, so only a process that stands still
///   meets this.
/// - The server notices a client that no longer answers: by keepalives where nothing is in flight, by
///   the user timeout where it has sent something that is not acknowledged.
/// - A row that another transaction holds is waited for 200 ms.
final class SessionSettings {
  static final Duration LOCK_TIMEOUT = Duration.ofMillis(200);
  static final Duration IDLE_IN_TRANSACTION_TIMEOUT = Duration.ofSeconds(15);

  private static final Duration KEEPALIVE_IDLE = Duration.ofSeconds(10);
  private static final Duration KEEPALIVE_INTERVAL = Duration.ofSeconds(5);
  private static final int KEEPALIVE_COUNT = 3;
  private static final Duration USER_TIMEOUT = Duration.ofSeconds(25);

  private SessionSettings() {}

  /// For a session of the pool.
  static String pooled() {
    return String.join(
        "; ",
        "SET lock_timeout = " + LOCK_TIMEOUT.toMillis(),
        "SET idle_in_transaction_session_timeout = " + IDLE_IN_TRANSACTION_TIMEOUT.toMillis(),
        liveness());
  }

  /// For a session that migrates: it may take any time, also while its lock waits in another session's
  /// open transaction, but not longer than its process is reachable.
  static String migrating() {
    return "SET idle_in_transaction_session_timeout = 0; " + liveness();
  }

  private static String liveness() {
    return String.join(
        "; ",
        List.of(
            "SET tcp_keepalives_idle = " + KEEPALIVE_IDLE.toSeconds(),
            "SET tcp_keepalives_interval = " + KEEPALIVE_INTERVAL.toSeconds(),
            "SET tcp_keepalives_count = " + KEEPALIVE_COUNT,
            "SET tcp_user_timeout = " + USER_TIMEOUT.toMillis()));
  }
}
