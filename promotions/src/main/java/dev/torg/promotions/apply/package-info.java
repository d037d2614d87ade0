/// Active services: activated, extended, expired and ended early, each change with its event, under the lock of the
/// entity's row in `promotion_target`.
@NullMarked
package dev.torg.promotions.apply;

import org.jspecify.annotations.NullMarked;
