/// From an event of an offer to its audiences: matches, followers, prices, bans; and the window of recent
/// offers that new searches are matched against.
@NullMarked
package dev.torg.alerts.match;

import org.jspecify.annotations.NullMarked;
