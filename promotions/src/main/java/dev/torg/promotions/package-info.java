/// Promotions: paid services on offers, each payment applied exactly once.
@NullMarked
package dev.torg.promotions;

import org.jspecify.annotations.NullMarked;
