/// Builds the module's objects for the server.
@NullMarked
package dev.torg.photos.wiring;

import org.jspecify.annotations.NullMarked;
