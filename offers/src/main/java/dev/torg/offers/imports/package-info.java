/// Offers that have lived elsewhere: a marketplace that moves to Torg brings them along, with their times
/// and without telling anybody that they are new.
@NullMarked
package dev.torg.offers.imports;

import org.jspecify.annotations.NullMarked;
