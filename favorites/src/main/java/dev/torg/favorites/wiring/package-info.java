/// Builds the module's objects for the server.
@NullMarked
package dev.torg.favorites.wiring;

import org.jspecify.annotations.NullMarked;
