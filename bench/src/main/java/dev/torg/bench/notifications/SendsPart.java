package dev.torg.bench.notifications;

import static dev.torg.bench.notifications.MeasuredServer.round;
import static dev.torg.bench.notifications.MeasuredServer.seconds;

import dev.torg.api.v1.NotificationContent;
import dev.torg.bench.load.LoadResult;
import dev.torg.bench.load.Phases;
import dev.torg.bench.report.Report;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// Individual notifications through the API, beside a plain service that does the same, and beside one that inserts the
/// record and does nothing else. The bells are written by the same process at the same time.
record SendsPart(
    MeasuredServer server, PlainBell bells, NotificationContent content, Duration warming) {
  private static final double MIN_TIMES_PLAIN = 2;
  private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

  private static final String ENTRIES =
      "SELECT count(*) FROM notification WHERE key LIKE 'sent:service:bench:%'";

  private static final String UNREAD =
      "SELECT coalesce(sum(count), 0) FROM unread WHERE owner LIKE 'user:reader-%'";

  /// @param behind how long the bells took to receive the rest after the last call
  private record Sent(LoadResult calls, Duration behind) {
    double writtenPerSecond() {
      return calls.calls() / seconds(calls.time().plus(behind));
    }
  }

  void measure(Report.Builder report) throws SQLException {
    Phases phases = new Phases(server.options(), warming);
    try (SendsClient client =
        new SendsClient(server.process().address(), server.token(), content)) {
      LoadResult records =
          phases.full("plain records", Phases.PLAIN_CALLERS, client::recordPlainly);
      server.rest();
      Sent plain =
          settled(client, phases.full("plain sends", Phases.PLAIN_CALLERS, client::sendPlainly));
      server.rest();
      Sent sent = settled(client, phases.full("sends", Phases.CALLERS, client::send));
      LoadResult half = phases.half("sends", sent.calls, client::send);
      Duration behind = awaitEntries(client);
      server.rest();
      boolean isExact =
          bells.count(ENTRIES) == client.entries() && bells.count(UNREAD) == client.entries();
      add(report, records, plain, sent, new Sent(half, behind), isExact);
    }
  }

  private Sent settled(SendsClient client, LoadResult calls) throws SQLException {
    return new Sent(calls, awaitEntries(client));
  }

  private Duration awaitEntries(SendsClient client) throws SQLException {
    long start = System.nanoTime();
    while (bells.count(ENTRIES) < client.entries()) {
      if (System.nanoTime() - start > MeasuredServer.IDLE_TIMEOUT.toNanos()) {
        throw new IllegalStateException("the bells lagged after " + MeasuredServer.IDLE_TIMEOUT);
      }
      LockSupport.parkNanos(POLL_INTERVAL.toNanos());
    }
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private void add(
      Report.Builder report,
      LoadResult records,
      Sent plain,
      Sent sent,
      Sent half,
      boolean isExact) {
    double vsPlain = round(sent.calls.perSecond() / plain.calls.perSecond());
    double vsRecords = round(sent.calls.perSecond() / records.perSecond());
    report
        .param("callers", Phases.CALLERS)
        .param("plainCallers", Phases.PLAIN_CALLERS)
        .param("warmSeconds", warming.toSeconds())
        .result("sendsPerSecond", round(sent.calls.perSecond()))
        .result("sendsToBellsPerSecond", round(sent.writtenPerSecond()))
        .result("sendsSecondsUntilAllAreInBells", round(seconds(sent.behind)))
        .result("sendP99MillisAtFullLoad", sent.calls.percentileMillis(99))
        .result("sendP50Millis", half.calls.percentileMillis(50))
        .result("sendP99Millis", half.calls.percentileMillis(99))
        .result("sendFailures", sent.calls.failures() + half.calls.failures())
        .baseline("plainSendsPerSecond", round(plain.calls.perSecond()))
        .baseline("plainSendsToBellsPerSecond", round(plain.writtenPerSecond()))
        .baseline("plainRecordsPerSecond", round(records.perSecond()))
        .baseline("plainFailures", plain.calls.failures() + records.failures())
        .ratio("sendsVsPlain", vsPlain)
        .ratio("sendsVsPlainRecords", vsRecords)
        .atLeast("sendsVsPlain", MIN_TIMES_PLAIN, vsPlain)
        .atLeast("sendsVsPlainRecords", MIN_TIMES_PLAIN, vsRecords)
        .target("sentCountsAreExact", true, isExact, isExact);
  }
}
