/// Price changes: debounced, then sent to the savers of the offer.
@NullMarked
package dev.torg.alerts.price;

import org.jspecify.annotations.NullMarked;
