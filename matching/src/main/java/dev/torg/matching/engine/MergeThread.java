package dev.torg.matching.engine;

import java.util.concurrent.Semaphore;

/// Runs the merge when woken, one at a time; a failed merge is retried at the next call.
final class MergeThread implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(MergeThread.class.getName());

  private final Semaphore due = new Semaphore(0);
  private final Runnable merge;
  private final Thread thread;
  private volatile boolean closed;

  MergeThread(Runnable merge) {
    this.merge = merge;
    this.thread = Thread.ofPlatform().daemon().name("matching-merge").unstarted(this::run);
    thread.setPriority(Thread.MIN_PRIORITY);
    thread.start();
  }

  void wake() {
    due.release();
  }

  private void run() {
    while (!closed) {
      due.acquireUninterruptibly();
      due.drainPermits();
      if (!closed) {
        mergeSafely();
      }
    }
  }

  private void mergeSafely() {
    try {
      merge.run();
    } catch (RuntimeException | OutOfMemoryError e) {
      LOG.log(
          System.Logger.Level.ERROR, "merging saved searches failed; the merge will be retried", e);
    }
  }

  @Override
  public void close() {
    closed = true;
    due.release();
  }
}
