package dev.torg.bench;

import dev.torg.bench.alerts.AlertsBench;
import dev.torg.bench.favorites.FavoritesBench;
import dev.torg.bench.feed.FeedBench;
import dev.torg.bench.matching.MatchingBench;
import dev.torg.bench.micro.MicroBench;
import dev.torg.bench.notifications.NotificationsBench;
import dev.torg.bench.offers.OffersBench;
import dev.torg.bench.photos.PhotosBench;
import dev.torg.bench.promotions.PromotionsBench;
import picocli.CommandLine.Command;

/// `torg bench NAME`: runs a benchmark and always exits 0.
@Command(
    name = "bench",
    description = "Measure a part of Torg, compared with a baseline where there is one.",
    mixinStandardHelpOptions = true,
    subcommands = {
      OffersBench.class,
      FavoritesBench.class,
      AlertsBench.class,
      FeedBench.class,
      MatchingBench.class,
      PhotosBench.class,
      NotificationsBench.class,
      PromotionsBench.class,
      MicroBench.class
    })
public final class Bench {}
