/// Offers of sellers as their owners change them and users read them: the service and its gRPC adapter.
@NullMarked
package dev.torg.offers.offer;

import org.jspecify.annotations.NullMarked;
