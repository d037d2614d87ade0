/// What sellers do with offers and readers see of them: the service that decides and the adapter
/// that translates the wire.
@NullMarked
package dev.torg.offers.offer;

import org.jspecify.annotations.NullMarked;
