/// The category tree, its file, and the rules that an offer must conform to.
@NullMarked
package dev.torg.offers.category;

import org.jspecify.annotations.NullMarked;
