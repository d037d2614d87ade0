/// Translates between the public API and the matching engine.
///
/// A search query of the API becomes the canonical query that identifies a saved search
/// ([QueryCanonicalizer][dev.torg.queries.QueryCanonicalizer]); an offer becomes the features that queries are
/// matched against ([OfferFeatureExtractor][dev.torg.queries.OfferFeatureExtractor]); a price becomes a hash that
/// is compared with the price a user was last notified of ([PriceHash][dev.torg.queries.PriceHash]). Favorites and
/// alerts use the same translation, so that a search matches when it is counted, when it is backfilled and when an
/// offer is published.
@NullMarked
package dev.torg.queries;

import org.jspecify.annotations.NullMarked;
