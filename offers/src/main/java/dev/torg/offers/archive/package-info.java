/// Expires offers and archives removed and expired ones after a configured time. A stub remains with the
/// month of the archive partition, so that ids stay unique and the offer can still be read by id. An
/// expired offer that is reactivated is restored from the archive.
@NullMarked
package dev.torg.offers.archive;

import org.jspecify.annotations.NullMarked;
