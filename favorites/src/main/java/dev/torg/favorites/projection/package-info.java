/// The projections: who saved an offer, follows a seller, subscribes to a search, in the homes of those.
///
/// [FavoritesProjectionConsumer][dev.torg.favorites.projection.FavoritesProjectionConsumer] builds them from
/// `torg.favorites` and publishes to `torg.searches` which distinct searches are live. Alerts read them through
/// [ProjectedAudiences][dev.torg.favorites.projection.ProjectedAudiences] and
/// [StoredBackfills][dev.torg.favorites.projection.StoredBackfills].
@NullMarked
package dev.torg.favorites.projection;

import org.jspecify.annotations.NullMarked;
