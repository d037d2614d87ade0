/// Quotes: the prices that a seller was shown, signed, so that the price charged is the price shown.
///
/// A purchase names the [QuoteToken] of a [Quote], which is stored nowhere: the token contains it and is recognized by its
/// code.
@NullMarked
package dev.torg.promotions.quote;

import org.jspecify.annotations.NullMarked;
