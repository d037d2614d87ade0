/// Moves alerts, digests and the bell of a visitor to their account at login.
@NullMarked
package dev.torg.alerts.merge;

import org.jspecify.annotations.NullMarked;
