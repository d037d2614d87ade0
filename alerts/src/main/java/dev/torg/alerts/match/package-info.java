/// From an offer's event to those who may want to hear: matches, followers, prices, bans; and the
/// window of recent offers that new searches are matched against.
@NullMarked
package dev.torg.alerts.match;

import org.jspecify.annotations.NullMarked;
