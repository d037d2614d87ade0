/// Price changes: debounced, then brought to those who saved the offer.
@NullMarked
package dev.torg.alerts.price;

import org.jspecify.annotations.NullMarked;
