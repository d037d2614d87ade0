/// Expires offers and archives removed and expired ones after some time. A stub remains with the month
/// under which the body is found, so that ids stay unique and the offer can still be read by id. An
/// expired offer that is reactivated is restored from the archive.
@NullMarked
package dev.torg.offers.archive;

import org.jspecify.annotations.NullMarked;
