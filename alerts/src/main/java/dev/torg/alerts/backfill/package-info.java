/// Backfill for new followers, subscribers and savers: offers and price changes from before their
/// projection.
@NullMarked
package dev.torg.alerts.backfill;

import org.jspecify.annotations.NullMarked;
