/// Somebody begins to follow, subscribe or save: what they would have heard meanwhile.
@NullMarked
package dev.torg.alerts.arrive;

import org.jspecify.annotations.NullMarked;
