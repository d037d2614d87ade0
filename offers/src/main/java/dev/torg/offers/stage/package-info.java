/// Opaque state that external processes store on an offer. Each stage has its own version and is written
/// without changing the offer's main row.
@NullMarked
package dev.torg.offers.stage;

import org.jspecify.annotations.NullMarked;
