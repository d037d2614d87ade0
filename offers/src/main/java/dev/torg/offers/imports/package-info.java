/// Imports offers of another marketplace, with their original times and without alerts about new
/// offers.
@NullMarked
package dev.torg.offers.imports;

import org.jspecify.annotations.NullMarked;
