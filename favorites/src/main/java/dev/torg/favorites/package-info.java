/// Favorites: saved offers, searches, sellers, notes, collections and blocked sellers; and the login merge.
///
/// Each owner has one row in `favorite_owner`. Every change of the owner's favorites locks this row first, which
/// gives exact counts, exact limits ([FavoriteLimits][dev.torg.favorites.FavoriteLimits]) and ordered events on
/// `torg.favorites`. What other modules query by offer, seller or search is projected from this topic into the homes of
/// those (`projection`).
///
/// This package holds the interfaces and records that other modules use.
/// [Audiences][dev.torg.favorites.Audiences] lists who may have to be notified,
/// [AlertRules][dev.torg.favorites.AlertRules] which of these subscriptions still exist, read in the recipient's home
/// in the transaction that delivers. Implementations: `write` (commands and rules), `read` (pages and counts),
/// `projection`, `merge` (login merge), `service` and `rpc` (the API), `wiring`.
@NullMarked
package dev.torg.favorites;

import org.jspecify.annotations.NullMarked;
