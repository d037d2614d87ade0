/// Builds the module's objects for the server.
@NullMarked
package dev.torg.notifications.wiring;

import org.jspecify.annotations.NullMarked;
