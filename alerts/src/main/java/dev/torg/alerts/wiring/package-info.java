/// Builds the module's objects for the server.
@NullMarked
package dev.torg.alerts.wiring;

import org.jspecify.annotations.NullMarked;
