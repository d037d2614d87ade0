package dev.torg.notifications.campaign;

import dev.torg.notifications.AudienceCriterion;
import dev.torg.notifications.campaign.CampaignHomeStore.Expansion;
import dev.torg.notifications.campaign.StoredCampaign.State;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.lease.Lease;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// Finds the sellers of campaigns with a criterion when their time has come. Sellers live in the home of their offers, so
/// a page of a home's offers, its sellers and the position after it are of one home.
public final class ExpandCampaignsJob {
  private final Database database;
  private final AudienceCriterion criterion;
  private final RecipientAdder adder;
  private final BooleanSupplier allowsBulk;
  private final CampaignStore campaigns = new CampaignStore();
  private final CampaignHomeStore homes = new CampaignHomeStore();

  ExpandCampaignsJob(
      Database database,
      AudienceCriterion criterion,
      RecipientAdder adder,
      BooleanSupplier allowsBulk) {
    this.database = database;
    this.criterion = criterion;
    this.adder = adder;
    this.allowsBulk = allowsBulk;
  }

  /// A home of each group in which a criterion is not expanded to its end.
  public Set<Home> due(List<Home> held, Instant now) {
    Set<Home> due = new HashSet<>();
    for (StoredCampaign campaign : expanding(now)) {
      due.addAll(database.read(tx -> homes.expanding(tx, campaign.key().text(), held)));
    }
    return due;
  }

  /// Expands a page of each campaign. Returns whether there may be more.
  public boolean run(Lease lease, Instant now) {
    boolean any = false;
    for (StoredCampaign campaign : expanding(now)) {
      any |= expandPage(lease, campaign);
    }
    return any;
  }

  private List<StoredCampaign> expanding(Instant now) {
    return allowsBulk.getAsBoolean()
        ? database.read(tx -> campaigns.due(tx, now)).stream()
            .filter(campaign -> campaign.hasCriterion() && campaign.state() == State.STARTED)
            .toList()
        : List.of();
  }

  private boolean expandPage(Lease lease, StoredCampaign campaign) {
    String key = campaign.key().text();
    Optional<Expansion> next = database.read(tx -> homes.nextExpansion(tx, key, lease.homes()));
    next.ifPresent(
        from -> {
          AudienceCriterion.Page page =
              criterion.sellersWith(
                  campaign.request().getAudience().getSellersWith(), from.home(), from.cursor());
          database.transact(
              tx -> {
                lease.check(tx);
                if (homes.advance(tx, key, from, page.cursor(), page.last())) {
                  adder.addExpanded(tx, campaign, page.sellers());
                }
              });
        });
    return next.isPresent();
  }
}
