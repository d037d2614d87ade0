package dev.torg.notifications.campaign;

import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;

/// A process that writes campaigns until it is killed.
final class CampaignProcess {
  private CampaignProcess() {}

  public static void main(String[] arguments) throws InterruptedException {
    CampaignFixture fixture = new CampaignFixture(arguments[0], InstantSource.system());
    fixture.start();
    System.out.println("STARTED");
    new CountDownLatch(1).await();
  }
}
