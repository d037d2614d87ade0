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

/// Tells other processes in which homes bells have changed, by the database's NOTIFY, and hears from
/// them. A hint only: it may be lost.
///
/// A NOTIFY inside a transaction makes it wait for every other such transaction to commit, so it is
/// sent after the commit on another connection, with the changes of the last moments together.
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
  private final Semaphore news = new Semaphore(0);
  private final CountDownLatch closing = new CountDownLatch(1);

  public BellChangeBroadcast(Database database, Consumer<BitSet> listener) {
    this.database = database;
    this.listener = listener;
  }

  public void start() {
    Thread.ofVirtual().name("bell-tell").start(this::tell);
    Thread.ofVirtual().name("bell-listen").start(this::listen);
  }

  public void changed(Set<String> owners) {
    synchronized (changed) {
      owners.forEach(owner -> changed.set(Home.of(owner).number()));
    }
    news.release();
  }

  private void tell() {
    while (awaitNews() && rest(GATHER_TIME)) {
      String homes = take();
      if (!homes.isEmpty()) {
        send(homes);
      }
    }
  }

  private boolean awaitNews() {
    try {
      news.acquire();
      news.drainPermits();
      return closing.getCount() > 0;
    } catch (InterruptedException e) {
      return false;
    }
  }

  private String take() {
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
      LOG.debug("a hint was not sent", e);
    }
  }

  private void listen() {
    while (closing.getCount() > 0) {
      try (Connection connection = database.dataSource().getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute("LISTEN " + CHANNEL);
        hear(connection.unwrap(PGConnection.class));
        statement.execute("UNLISTEN " + CHANNEL);
      } catch (SQLException e) {
        if (rest(FAILURE_RETRY_DELAY)) {
          LOG.warn("cannot listen to other processes: {}", e.toString());
        }
      }
    }
  }

  private void hear(PGConnection connection) throws SQLException {
    while (closing.getCount() > 0) {
      PGNotification[] hints = connection.getNotifications((int) LISTEN.toMillis());
      BitSet homes = new BitSet(Home.COUNT);
      for (PGNotification hint : hints == null ? new PGNotification[0] : hints) {
        if (!hint.getParameter().startsWith(self)) {
          homes.or(parse(hint.getParameter()));
        }
      }
      if (!homes.isEmpty()) {
        listener.accept(homes);
      }
    }
  }

  /// As [BitSet#toString] writes it after the sender: `… {3, 17}`.
  private static BitSet parse(String hint) {
    BitSet homes = new BitSet(Home.COUNT);
    String list = hint.substring(hint.indexOf('{') + 1, hint.length() - 1);
    for (String number : list.split(", ", -1)) {
      homes.set(Integer.parseInt(number));
    }
    return homes;
  }

  private boolean rest(Duration time) {
    try {
      return !closing.await(time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return false;
    }
  }

  @Override
  public void close() {
    closing.countDown();
    news.release();
  }
}
