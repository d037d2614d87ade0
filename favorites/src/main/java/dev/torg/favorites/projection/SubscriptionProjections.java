package dev.torg.favorites.projection;

import dev.torg.platform.projection.Projection;
import dev.torg.platform.projection.Projection.Column;
import java.util.List;

/// The projections of favorites: savers by offer, followers by seller, subscribers by search.
final class SubscriptionProjections {
  private static final Column<Subscription> OWNER =
      new Column<>("owner", "text", Subscription::owner);
  private static final Column<Subscription> CREATED_AT =
      new Column<>("created_at", "timestamptz", s -> s.createdAt().toString());
  private static final Column<Subscription> DELIVERY =
      new Column<>("delivery", "int", Subscription::delivery);

  static final Projection<Subscription> SAVERS =
      new Projection<>(
          "offer_saver",
          List.of(new Column<>("offer_id", "bigint", Subscription::offer), OWNER),
          List.of(CREATED_AT));

  static final Projection<Subscription> FOLLOWERS =
      new Projection<>(
          "seller_follower",
          List.of(new Column<>("seller", "text", Subscription::id), OWNER),
          List.of(CREATED_AT, DELIVERY));

  static final Projection<Subscription> SUBSCRIBERS =
      new Projection<>(
          "search_subscriber",
          List.of(new Column<>("search_id", "text", Subscription::id), OWNER),
          List.of(CREATED_AT, DELIVERY));

  private SubscriptionProjections() {}
}
