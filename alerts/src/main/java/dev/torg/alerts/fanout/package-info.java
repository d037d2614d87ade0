/// Audiences too large to tell at once: worked off page by page beside everything else.
@NullMarked
package dev.torg.alerts.fanout;

import org.jspecify.annotations.NullMarked;
