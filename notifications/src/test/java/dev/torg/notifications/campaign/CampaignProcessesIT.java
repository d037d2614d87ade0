package dev.torg.notifications.campaign;

import static dev.torg.notifications.campaign.CampaignFixture.SENDER;
import static dev.torg.notifications.campaign.CampaignFixture.lines;
import static dev.torg.notifications.campaign.CampaignFixture.request;
import static dev.torg.notifications.campaign.CampaignFixture.users;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.torg.api.v1.Campaign;
import dev.torg.api.v1.Campaign.Status;
import dev.torg.testkit.ChildProcess;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// A campaign of 100,000, written by real processes that are killed.
class CampaignProcessesIT {
  @RegisterExtension static final TestDatabase TABLES = CampaignFixture.tables();

  private static final int RECIPIENTS = 100_000;
  private static final Duration TIMEOUT = Duration.ofMinutes(5);

  @Test
  void kill_whileACampaignIsPausedAndResumed_eachRecipientReceivesItOnce() {
    List<ChildProcess> processes = new ArrayList<>();
    try (CampaignFixture fixture = new CampaignFixture(TABLES.url(), InstantSource.system())) {
      fixture.campaigns.create(SENDER, request("large").build());
      fixture.wiring.uploads().upload(SENDER, "large", lines(users("large", RECIPIENTS)));
      processes.add(start());
      processes.add(start());
      fixture.campaigns.start(SENDER, "large");
      fixture.awaitWritten("large", RECIPIENTS / 20);
      processes.get(0).kill();
      fixture.campaigns.pause(SENDER, "large");
      long paused = awaitStanding(fixture);
      assertThat(paused).isLessThan(RECIPIENTS);
      processes.add(start());
      fixture.campaigns.resume(SENDER, "large");
      fixture.awaitWritten("large", Math.min(RECIPIENTS, paused + RECIPIENTS / 10));
      processes.get(1).kill();
      Campaign finished = fixture.awaitStatus("large", Status.FINISHED);
      assertThat(finished.getProgress().getAccepted()).isEqualTo(RECIPIENTS);
      assertThat(finished.getProgress().getWritten()).isEqualTo(RECIPIENTS);
      assertThat(finished.getProgress().getSuppressedMap()).isEmpty();
      assertThat(fixture.entries("large")).isEqualTo(RECIPIENTS);
      assertThat(fixture.inexact("large")).isZero();
    } finally {
      processes.forEach(ChildProcess::close);
    }
  }

  /// Waits until nothing has been written for a second, with a page in flight at the most.
  private static long awaitStanding(CampaignFixture fixture) {
    long[] last = {-1, System.nanoTime()};
    await()
        .atMost(TIMEOUT)
        .pollInterval(Duration.ofMillis(100))
        .until(
            () -> {
              long written = fixture.find("large").getProgress().getWritten();
              if (written != last[0]) {
                last[0] = written;
                last[1] = System.nanoTime();
              }
              return System.nanoTime() - last[1] > TimeUnit.SECONDS.toNanos(1);
            });
    return last[0];
  }

  private static ChildProcess start() {
    ChildProcess process = ChildProcess.start(CampaignProcess.class, TABLES.url());
    await().atMost(TIMEOUT).until(() -> process.lines().contains("STARTED"));
    return process;
  }
}
