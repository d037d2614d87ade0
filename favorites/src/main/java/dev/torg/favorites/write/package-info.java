/// The write side. A batch of commands of many owners locks the owners' rows, loads the rows they read
/// ([FavoritesReadSet][dev.torg.favorites.write.FavoritesReadSet]), decides in memory
/// ([FavoritesUnitOfWork][dev.torg.favorites.write.FavoritesUnitOfWork]) and writes the changes and their events with
/// a fixed number of statements ([FavoritesStore][dev.torg.favorites.write.FavoritesStore]).
///
/// [AlertRuleStore][dev.torg.favorites.write.AlertRuleStore] reads the same rows for alert delivery, under a shared
/// lock.
@NullMarked
package dev.torg.favorites.write;

import org.jspecify.annotations.NullMarked;
