package dev.torg.bench;

import dev.torg.bench.abuse.VerifyAbuse;
import dev.torg.bench.alerts.VerifyAlerts;
import dev.torg.bench.alerts.VerifyFanout;
import dev.torg.bench.crash.VerifyCrash;
import dev.torg.bench.delivery.VerifyDelivery;
import dev.torg.bench.feed.VerifyFeed;
import dev.torg.bench.money.VerifyMoney;
import picocli.CommandLine.Command;

/// `torg verify NAME`: checks a guarantee under hostile conditions and exits 1 on any violation.
@Command(
    name = "verify",
    description = "Prove a promise of Torg under hostile conditions.",
    mixinStandardHelpOptions = true,
    subcommands = {
      VerifyCrash.class,
      VerifyAlerts.class,
      VerifyFanout.class,
      VerifyDelivery.class,
      VerifyFeed.class,
      VerifyMoney.class,
      VerifyAbuse.class
    })
public final class Verify {}
