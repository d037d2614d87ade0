package dev.torg.platform.topics;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Handles what several partitions bring while a call is under way in one call, the next: for effects
/// whose cost is the transaction or the forced write, not the event. Each partition's order is kept, as
/// its worker waits for its own share.
///
/// When a call for several fails, each handles its own share apart: one partition's bad event is not
/// the others' affair.
public final class HandleTogether implements EventHandler {
  private static final Logger LOG = LoggerFactory.getLogger(HandleTogether.class);

  /// Events in one call, more or less.
  private static final int MOST = 2_000;

  private final EventHandler handler;
  private final ReentrantLock turn = new ReentrantLock();
  private final Queue<Share> waiting = new ConcurrentLinkedQueue<>();

  public HandleTogether(EventHandler handler) {
    this.handler = handler;
  }

  private enum State {
    WAITING,
    DONE,
    APART
  }

  /// What one partition brought. Its state is touched in turn only.
  private static final class Share {
    private final List<Event> events;
    private State state = State.WAITING;

    private Share(List<Event> events) {
      this.events = events;
    }
  }

  @Override
  public void handle(List<Event> events) throws Exception {
    if (isApart(events)) {
      handler.handle(events);
    }
  }

  /// Whether the events are still to be handled, by themselves.
  private boolean isApart(List<Event> events) throws Exception {
    Share mine = new Share(events);
    waiting.add(mine);
    try {
      turn.lockInterruptibly();
    } catch (InterruptedException e) {
      waiting.remove(mine);
      throw e;
    }
    try {
      while (mine.state == State.WAITING) {
        handleWaiting();
      }
      return mine.state == State.APART;
    } finally {
      turn.unlock();
    }
  }

  /// One that is alone hears of its own failure.
  private void handleWaiting() throws Exception {
    List<Share> shares = take();
    if (shares.size() == 1) {
      Share only = shares.getFirst();
      only.state = State.DONE;
      handler.handle(only.events);
    } else {
      State outcome = isHandled(shares) ? State.DONE : State.APART;
      shares.forEach(share -> share.state = outcome);
    }
  }

  private List<Share> take() {
    List<Share> shares = new ArrayList<>();
    int events = 0;
    for (Share share = waiting.poll(); share != null; share = waiting.poll()) {
      shares.add(share);
      events += share.events.size();
      if (events >= MOST) {
        break;
      }
    }
    return shares;
  }

  private boolean isHandled(List<Share> shares) throws InterruptedException {
    try {
      handler.handle(shares.stream().flatMap(share -> share.events.stream()).toList());
      return true;
    } catch (InterruptedException e) {
      shares.forEach(share -> share.state = State.APART);
      throw e;
    } catch (Exception e) {
      LOG.warn("{} partitions handle their events apart: {}", shares.size(), e.toString());
      return false;
    }
  }
}
