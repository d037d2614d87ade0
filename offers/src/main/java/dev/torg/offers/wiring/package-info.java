/// Builds the module's objects for the server.
@NullMarked
package dev.torg.offers.wiring;

import org.jspecify.annotations.NullMarked;
