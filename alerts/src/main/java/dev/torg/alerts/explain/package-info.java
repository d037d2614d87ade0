/// Explains for a caller which of their rules an offer meets.
@NullMarked
package dev.torg.alerts.explain;

import org.jspecify.annotations.NullMarked;
