package dev.torg.promotions.provider.sandbox;

import dev.torg.platform.Backoff;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.job.EachHome;
import dev.torg.platform.lease.Lease;
import dev.torg.promotions.provider.sandbox.WebhookCaller.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Calls the webhook for what happened in the sandbox, in the order of the times that the calls are due. A call is
/// repeated with growing delays until it is accepted, and given up after about a day. A process that dies between a call
/// and the record of it leaves a call that is made twice.
final class SendSandboxWebhooksJob {
  private static final Logger LOG = LoggerFactory.getLogger(SendSandboxWebhooksJob.class);

  private static final int PAGE_SIZE = 50;

  /// With the backoff about a day.
  private static final int MAX_ATTEMPTS = 36;

  private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofHours(1));

  private final Database database;
  private final WebhookCaller caller;
  private final SandboxWebhookStore store = new SandboxWebhookStore();

  SendSandboxWebhooksJob(Database database, WebhookCaller caller) {
    this.database = database;
    this.caller = caller;
  }

  /// The calls of a page, sorted by what follows.
  private record Page(
      List<SandboxWebhook> done, List<SandboxWebhook> deferred, boolean isInterrupted) {}

  List<Home> due(List<Home> homes, Instant now) {
    return database.read(tx -> store.homesDue(tx, homes, now));
  }

  /// Returns whether more may be due.
  boolean run(Lease lease, Instant now) {
    return EachHome.run(due(lease.homes(), now), home -> run(lease, home, now));
  }

  private boolean run(Lease lease, Home home, Instant now) {
    List<SandboxWebhook> due = database.read(tx -> store.due(tx, home, now, PAGE_SIZE));
    Page page = call(due, now);
    database.transact(
        tx -> {
          lease.check(tx);
          store.delete(tx, page.done);
          store.defer(tx, page.deferred);
        });
    return due.size() == PAGE_SIZE && !page.isInterrupted;
  }

  /// Stops at the first call that nothing answers: the others would wait for their timeouts one after the other.
  private Page call(List<SandboxWebhook> due, Instant now) {
    List<SandboxWebhook> done = new ArrayList<>();
    List<SandboxWebhook> deferred = new ArrayList<>();
    for (SandboxWebhook webhook : due) {
      Outcome outcome = callOrInterrupt(webhook);
      if (outcome == Outcome.ACCEPTED || isGivenUp(webhook)) {
        done.add(webhook);
      } else {
        deferred.add(webhook.failed(now.plus(BACKOFF.after(webhook.attempts() + 1))));
      }
      if (outcome == Outcome.UNREACHABLE) {
        return new Page(done, deferred, true);
      }
    }
    return new Page(done, deferred, false);
  }

  private Outcome callOrInterrupt(SandboxWebhook webhook) {
    try {
      return caller.call(webhook);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Outcome.UNREACHABLE;
    }
  }

  private static boolean isGivenUp(SandboxWebhook webhook) {
    boolean givenUp = webhook.attempts() + 1 >= MAX_ATTEMPTS;
    if (givenUp) {
      LOG.warn("the sandbox gave up on event {} after {} calls", webhook.eventId(), MAX_ATTEMPTS);
    }
    return givenUp;
  }
}
