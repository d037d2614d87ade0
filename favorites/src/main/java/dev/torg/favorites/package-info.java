/// What people save: offers, searches, sellers, notes, collections, and the move at login.
///
/// A person has one row in `favorite_owner`; whoever changes what the person saves locks it first
/// (`book`: rows are read under that lock, changed in memory and written with a handful of
/// statements). From that follow exact counts, exact limits
/// ([FavoriteLimits][dev.torg.favorites.FavoriteLimits]) and an order of events. What others ask by offer,
/// seller or search is projected from the topic into the homes of those (`project`).
///
/// The face for the rooms that tell people: [Audiences][dev.torg.favorites.Audiences] (who might
/// want to hear) and [AlertRules][dev.torg.favorites.AlertRules] (who still does, asked in the
/// reader's home in the transaction that tells them).
@NullMarked
package dev.torg.favorites;

import org.jspecify.annotations.NullMarked;
