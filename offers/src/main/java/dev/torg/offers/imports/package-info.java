/// Imports offers of another marketplace, with their original times and without notifying anybody that
/// they are new.
@NullMarked
package dev.torg.offers.imports;

import org.jspecify.annotations.NullMarked;
