/// Connects the parts of promotions.
@NullMarked
package dev.torg.promotions.wiring;

import org.jspecify.annotations.NullMarked;
