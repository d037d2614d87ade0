package dev.torg.notifications.stream;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.BitSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Broadcasts to other processes in which homes bells have changed, with PostgreSQL's NOTIFY, and receives
/// their broadcasts. A broadcast is a hint and may be lost.
///
/// NOTIFY inside a transaction makes its commit wait for every other such transaction. So it is sent after
/// the commit on another connection, once for all changes of the last 20 milliseconds.
public final class BellChangeBroadcast implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BellChangeBroadcast.class);
  private static final String CHANNEL = "torg_bell";
  private static final Duration GATHER_TIME = Duration.ofMillis(20);
  private static final Duration LISTEN = Duration.ofSeconds(1);
  private static final Duration FAILURE_RETRY_DELAY = Duration.ofSeconds(2);

  private final Database database;
  private final Consumer<BitSet> listener;
  private final String self = UUID.randomUUID().toString();
  private final BitSet changed = new BitSet(Home.COUNT);
  private final Semaphore pending = new Semaphore(0);
  private final CountDownLatch closing = new CountDownLatch(1);

  public BellChangeBroadcast(Database database, Consumer<BitSet> listener) {
    this.database = database;
    this.listener = listener;
  }

  public void start() {
    Thread.ofVirtual().name("bell-notify").start(this::notifyOthers);
    Thread.ofVirtual().name("bell-listen").start(this::listen);
  }

  public void changed(Set<String> owners) {
    synchronized (changed) {
      owners.forEach(owner -> changed.set(Home.of(owner).number()));
    }
    pending.release();
  }

  private void notifyOthers() {
    while (awaitChange() && sleep(GATHER_TIME)) {
      String homes = drain();
      if (!homes.isEmpty()) {
        send(homes);
      }
    }
  }

  private boolean awaitChange() {
    try {
      pending.acquire();
      pending.drainPermits();
      return closing.getCount() > 0;
    } catch (InterruptedException e) {
      return false;
    }
  }

  private String drain() {
    synchronized (changed) {
      String homes = changed.isEmpty() ? "" : self + ' ' + changed;
      changed.clear();
      return homes;
    }
  }

  private void send(String homes) {
    try {
      database.read(
          tx -> tx.sql("SELECT pg_notify(?, ?)").set(CHANNEL).set(homes).first(row -> true));
    } catch (RuntimeException e) {
      LOG.debug("a broadcast was not sent", e);
    }
  }

  private void listen() {
    while (closing.getCount() > 0) {
      try (Connection connection = database.dataSource().getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute("LISTEN " + CHANNEL);
        receive(connection.unwrap(PGConnection.class));
        statement.execute("UNLISTEN " + CHANNEL);
      } catch (SQLException e) {
        if (sleep(FAILURE_RETRY_DELAY)) {
          LOG.warn("cannot listen to other processes: {}", e.toString());
        }
      }
    }
  }

  private void receive(PGConnection connection) throws SQLException {
    while (closing.getCount() > 0) {
      PGNotification[] notifications = connection.getNotifications((int) LISTEN.toMillis());
      BitSet homes = new BitSet(Home.COUNT);
      for (PGNotification notification :
          notifications == null ? new PGNotification[0] : notifications) {
        if (!notification.getParameter().startsWith(self)) {
          homes.or(parse(notification.getParameter()));
        }
      }
      if (!homes.isEmpty()) {
        listener.accept(homes);
      }
    }
  }

  /// The format of [BitSet#toString], after the sender: `… {3, 17}`.
  private static BitSet parse(String payload) {
    BitSet homes = new BitSet(Home.COUNT);
    String list = payload.substring(payload.indexOf('{') + 1, payload.length() - 1);
    for (String number : list.split(", ", -1)) {
      homes.set(Integer.parseInt(number));
    }
    return homes;
  }

  private boolean sleep(Duration time) {
    try {
      return !closing.await(time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return false;
    }
  }

  @Override
  public void close() {
    closing.countDown();
    pending.release();
  }
}
