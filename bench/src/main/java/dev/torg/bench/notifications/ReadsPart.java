package dev.torg.bench.notifications;

import static dev.torg.bench.notifications.MeasuredServer.round;

import dev.torg.bench.report.Report;
import java.io.IOException;
import java.sql.SQLException;

/// Lists and counts of a person with many entries, beside those of a person with ten.
///
/// @param entries of the large bell
/// @param reads of each bell and kind
record ReadsPart(MeasuredServer server, PlainBell plain, int entries, int reads) {
  private static final double MAX_RATIO = 2;
  private static final int FEW_ENTRIES = 10;
  private static final String LARGE = "many";
  private static final String SMALL = "few";

  void measure(Report.Builder report) throws SQLException, IOException {
    server.options().progress("reading bells with %,d and %d entries ...", entries, FEW_ENTRIES);
    plain.copyEntries("user:" + LARGE, entries);
    plain.copyEntries("user:" + SMALL, FEW_ENTRIES);
    server.rest();
    report
        .param("entriesOfTheLargeBell", entries)
        .param("entriesOfTheSmallBell", FEW_ENTRIES)
        .param("readsOfEach", reads);
    BellReads bells =
        new BellReads(server.client().loggedInAs(LARGE), server.client().loggedInAs(SMALL), reads);
    add(report, "List", bells.p99("/v1/notifications?pageSize=20"));
    add(report, "ListOfATopic", bells.p99("/v1/notifications?pageSize=20&topic=news"));
    add(report, "UnreadCount", bells.p99("/v1/notifications/unreadCount"));
  }

  private static void add(Report.Builder report, String call, BellReads.Result p99) {
    String ratio = "largeBell" + call + "VsSmall";
    report
        .result("largeBell" + call + "P99Millis", round(p99.many()))
        .baseline("smallBell" + call + "P99Millis", round(p99.few()))
        .ratio(ratio, round(p99.ratio()))
        .atMost(ratio, MAX_RATIO, round(p99.ratio()));
  }
}
