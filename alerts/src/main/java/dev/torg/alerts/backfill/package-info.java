/// New followers, subscribers and savers: recent offers and prices that their projection came too late
/// for.
@NullMarked
package dev.torg.alerts.backfill;

import org.jspecify.annotations.NullMarked;
