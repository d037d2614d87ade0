/// What may be said about an offer: the category file, and the rules an offer must keep.
@NullMarked
package dev.torg.offers.category;

import org.jspecify.annotations.NullMarked;
